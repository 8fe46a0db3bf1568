import type { BookingView } from '@hansom/contract/bookings'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import classes from './payment.module.css'
import actions from './trip-actions.module.css'

const longestReason = 1000

/** The cash reported by the driver if it was less than due, and the rider's objection. */
export function CashObjection({ view }: { view: BookingView }) {
  const { t } = useText()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  if (view.viewer !== 'rider') return null
  // The trip's title already shows this.
  if (view.objection === 'open' && view.status === 'PENDING') return null
  if (view.objection) {
    return (
      <Notice tone={view.objection === 'paid' || view.objection === 'written_off' ? 'good' : 'plain'}>
        {t(`trip.objection_${view.objection}`)}
      </Notice>
    )
  }
  if (!view.commands.includes('object')) return null
  const isWhole = view.cash_answer === 'nothing'
  const amount = isolated(format.money(view.payableAmount + (view.outstanding_amount ?? 0)))
  return (
    <section className={classes.due} aria-label={t('trip.objection')}>
      <p>{t(isWhole ? 'trip.unpaid_trip' : 'trip.unpaid_outstanding', { amount })}</p>
      <Button wide onClick={() => setOpen(true)}>
        {t('trip.object')}
      </Button>
      {open ? <ObjectDialog view={view} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

function ObjectDialog({ view, onClose }: { view: BookingView; onClose: () => void }) {
  const { t } = useText()
  const [reason, setReason] = useState('')
  const object = useMutation({
    mutationFn: (input: { id: string; reason?: string }) =>
      idempotentCall('object', input, api.bookings.object),
    onSuccess: (next) => {
      storeBooking(next)
      onClose()
    },
  })
  const send = () => {
    const words = reason.trim()
    object.mutate({ id: view.id, ...(words ? { reason: words } : {}) })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('trip.object_title')}
      footer={
        <>
          <Button variant="primary" wide busy={object.isPending} onClick={send}>
            {t('trip.object_send')}
          </Button>
          <Button wide onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </>
      }
    >
      <p className={classes.objectText}>{t('trip.object_text')}</p>
      <TextField
        label={t('trip.object_reason')}
        dir="auto"
        value={reason}
        maxLength={longestReason}
        onChange={(event) => setReason(event.target.value)}
      />
      {object.error ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={object.error} />
        </p>
      ) : null}
    </Dialog>
  )
}
