import type { BookingView } from '@hansom/contract/bookings'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButtons } from '../../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { stopTitle } from './stop-title.ts'
import actions from './trip-actions.module.css'

interface Props {
  view: BookingView
  stops: NonNullable<BookingView['delivery']>['stops']
}

/** An admin ends a delivery for its courier: asks for the reason, and names the stops that are still open. */
export function EndDelivery({ view, stops }: Props) {
  const { t } = useText()
  const [asks, setAsks] = useState(false)
  const [reason, setReason] = useState('')
  const form = useId()
  const end = useMutation({
    mutationFn: (given: string) =>
      idempotentCall('reach', { id: view.id, reason: given }, api.bookings.reach),
    onSuccess: storeBooking,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim()) end.mutate(reason.trim())
  }
  const isOnly = stops.filter(({ kind }) => kind === 'drop').length === 1
  const open = stops.filter(({ outcome }) => outcome === null)
  const close = () => {
    setAsks(false)
    end.reset()
  }
  return (
    <>
      <Button size="large" wide aria-haspopup="dialog" onClick={() => setAsks(true)}>
        {t('trip.admin_command_reach')}
      </Button>
      {asks ? (
        <Dialog
          open
          onClose={close}
          title={t('delivery.end_title', { code: isolated(view.booking_id) })}
          footer={
            <DialogButtons onCancel={close}>
              <Button type="submit" form={form} variant="danger" busy={end.isPending}>
                {t('delivery.end_confirm')}
              </Button>
            </DialogButtons>
          }
        >
          {open.length > 0 ? (
            <>
              <h3>{t('delivery.end_open')}</h3>
              <ul className={actions.open} aria-label={t('delivery.end_open')}>
                {open.map((stop) => (
                  <li key={stop.n}>
                    <strong>{stopTitle(stop, isOnly, t)}</strong>
                    <span>
                      {stop.kind === 'drop' && stop.person ? (
                        <>
                          <bdi>{stop.person}</bdi> ·{' '}
                        </>
                      ) : null}
                      <bdi>{stop.place.add}</bdi>
                    </span>
                  </li>
                ))}
              </ul>
              <p className={actions.text}>{t('delivery.end_effect')}</p>
            </>
          ) : (
            <p className={actions.text}>{t('delivery.end_all_done')}</p>
          )}
          <form id={form} onSubmit={send}>
            <TextField
              label={t('trip.reason_label')}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              maxLength={200}
              required
            />
          </form>
          {end.error ? (
            <p className={actions.problem} role="alert">
              <ErrorMessage error={end.error} />
            </p>
          ) : null}
        </Dialog>
      ) : null}
    </>
  )
}
