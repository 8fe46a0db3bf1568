import type { BookingView } from '@hansom/contract/bookings'
import { returnObjectionMs } from '@hansom/domain/bookings/status'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/clock.ts'
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

/** What the rider can object to, the cash reported by the driver or the return leg of a delivery, and their objection. */
export function CashObjection({ view }: { view: BookingView }) {
  const { t } = useText()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  if (view.viewer !== 'rider') return null
  if (view.objection) return <ObjectionState view={view} />
  if (!view.commands.includes('object')) return null
  const amount = isolated(format.money(view.payableAmount + (view.outstanding_amount ?? 0)))
  const isWhole = view.cash_answer === 'nothing'
  const isReturn = view.objection_to === 'return_leg'
  const until = (view.closed_at ?? serverNow()) + returnObjectionMs
  if (isReturn && serverNow() > until) return null
  const [label, text, action] = isReturn
    ? [
        t('delivery.return_charge'),
        t('delivery.return_charged', {
          amount: isolated(format.money(view.delivery?.return_leg.cost ?? 0)),
          date: isolated(format.date(until)),
        }),
        t('delivery.return_object'),
      ]
    : [
        t('trip.objection'),
        t(isWhole ? 'trip.unpaid_trip' : 'trip.unpaid_outstanding', { amount }),
        t('trip.object'),
      ]
  return (
    <section className={classes.due} aria-label={label}>
      <p>{text}</p>
      <Button wide aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {action}
      </Button>
      {open ? <ObjectDialog view={view} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

function ObjectionState({ view: { objection, objection_to, status } }: { view: BookingView }) {
  const { t } = useText()
  // The title of an unpaid trip already shows that it is open.
  if (objection === null || (objection === 'open' && status === 'PENDING')) return null
  const isGood = objection === 'paid' || objection === 'written_off'
  const isReturn = objection_to === 'return_leg' && objection !== 'paid' && objection !== 'withdrawn'
  return (
    <Notice tone={isGood ? 'good' : 'plain'}>
      {t(isReturn ? `delivery.return_${objection}` : `trip.objection_${objection}`)}
    </Notice>
  )
}

function ObjectDialog({ view, onClose }: { view: BookingView; onClose: () => void }) {
  const { t } = useText()
  const [reason, setReason] = useState('')
  const isReturn = view.objection_to === 'return_leg'
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
      title={t(isReturn ? 'delivery.return_object' : 'trip.object_title')}
      footer={
        <>
          <Button
            variant="primary"
            wide
            busy={object.isPending}
            disabled={isReturn && reason.trim() === ''}
            onClick={send}
          >
            {t('trip.object_send')}
          </Button>
          <Button wide onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </>
      }
    >
      <p className={classes.objectText}>{t(isReturn ? 'delivery.return_object_text' : 'trip.object_text')}</p>
      <TextField
        label={t(isReturn ? 'delivery.return_reason' : 'trip.object_reason')}
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
