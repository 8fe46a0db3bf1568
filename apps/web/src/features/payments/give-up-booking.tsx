import { incompleteBooking } from '@hansom/domain/bookings/pay'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { storeBooking } from '../../lib/booking-cache.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './payment-dialog.module.css'

/** Delay in which it can be undone, ms. */
const waitMs = 1_500

/** Cancels an unpaid booking after a delay in which it can be undone. */
export function GiveUpBooking({ id }: { id: string }) {
  const { t } = useText()
  const [isGoing, setIsGoing] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => idempotentCall('cancel', { id, reason: incompleteBooking }, api.bookings.cancel),
    onSuccess: storeBooking,
    onError: () => setIsGoing(false),
  })
  useEffect(() => {
    if (!isGoing) return
    const timer = setTimeout(() => mutate(), waitMs)
    return () => clearTimeout(timer)
  }, [isGoing, mutate])
  return (
    <div className={classes.step}>
      {error ? (
        <Notice tone="bad">
          <span>
            <ErrorMessage error={error} />
          </span>
        </Notice>
      ) : null}
      {isGoing ? <p role="status">{t('payments.giving_up')}</p> : null}
      <Button
        wide
        variant={isGoing ? 'secondary' : 'quiet'}
        busy={isPending}
        onClick={() => setIsGoing((going) => !going)}
      >
        {t(isGoing ? 'payments.keep_booking' : 'payments.cancel_booking')}
      </Button>
    </div>
  )
}
