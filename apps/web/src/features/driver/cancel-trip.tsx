import type { BookingView } from '@hansom/contract/bookings'
import { riderNoShow } from '@hansom/domain/bookings/booking'
import { driverReasons } from '@hansom/domain/cancel-reasons/reasons'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { storeBooking } from '../../lib/live.ts'
import { Button } from '../../ui/button.tsx'
import choiceClasses from '../../ui/choice.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import classes from './driver.module.css'

interface Props {
  booking: BookingView
  open: boolean
  onClose: () => void
}

/** Gives the trip back with a reason. The search restarts immediately, unless the rider did not show up. */
export function CancelTrip({ booking, open, onClose }: Props) {
  const { t } = useText()
  const [reason, setReason] = useState<string | null>(null)
  const cancel = useMutation({
    mutationFn: (input: { id: string; reason: string }) =>
      idempotentCall('cancel', input, api.bookings.cancel),
    onSuccess: (view) => {
      storeBooking(view)
      onClose()
    },
  })
  const choices = booking.status === 'ARRIVED' ? ([riderNoShow, ...driverReasons] as const) : driverReasons
  const send = () => {
    if (reason) cancel.mutate({ id: booking.id, reason })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('driver.cancel_title')}
      footer={
        <>
          <Button variant="danger" wide disabled={reason === null} busy={cancel.isPending} onClick={send}>
            {t('driver.cancel_confirm')}
          </Button>
          <Button wide onClick={onClose}>
            {t('driver.cancel_keep')}
          </Button>
        </>
      }
    >
      <p className={classes.meta} aria-live="polite">
        {t(reason === riderNoShow ? 'driver.cancel_text_no_show' : 'driver.cancel_text')}
      </p>
      <fieldset className={classes.reasons}>
        <legend>{t('driver.cancel_reason')}</legend>
        {choices.map((choice) => (
          <label key={choice} className={choiceClasses.choice}>
            <input
              type="radio"
              name="reason"
              checked={reason === choice}
              onChange={() => setReason(choice)}
            />
            <span>{t(`trip.reason_${choice}`)}</span>
          </label>
        ))}
      </fieldset>
      {cancel.error ? (
        <p className={classes.warning} role="alert">
          <ErrorMessage error={cancel.error} />
        </p>
      ) : null}
    </Dialog>
  )
}
