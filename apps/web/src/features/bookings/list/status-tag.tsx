import type { ListedBooking } from '@hansom/contract/bookings'
import { isWrittenOff } from '@hansom/domain/bookings/amounts'
import { statusKey } from '../../../entities/bookings/status-key.ts'
import { serverNow } from '../../../lib/clock.ts'
import { useText } from '../../../lib/i18n.ts'
import classes from './history.module.css'

const tones = {
  PAYMENT_PENDING: 'wait',
  NEW: 'wait',
  ACCEPTED: 'live',
  ARRIVED: 'live',
  STARTED: 'live',
  REACHED: 'live',
  PENDING: 'wait',
  PAID: 'done',
  COMPLETE: 'done',
  CANCELLED: 'off',
} as const satisfies Record<ListedBooking['status'], string>

/** A booking's status as a tag. Admins see that a fare was written off; other viewers do not see what the rider paid. */
export function StatusTag({ booking }: { booking: ListedBooking }) {
  const { t } = useText()
  const isUnpaid = booking.viewer === 'admin' && isWrittenOff(booking)
  return (
    <span className={classes.tone} data-tone={isUnpaid ? 'off' : tones[booking.status]}>
      {t(isUnpaid ? 'history.status_written_off' : statusKey(booking, serverNow()))}
    </span>
  )
}
