import type { BookingView } from '@hansom/contract/bookings'
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
} as const satisfies Record<BookingView['status'], string>

/** A booking's status as a tag. */
export function StatusTag({ booking }: { booking: Pick<BookingView, 'status' | 'drivers_asked_at'> }) {
  const { t } = useText()
  return (
    <span className={classes.tone} data-tone={tones[booking.status]}>
      {t(statusKey(booking, serverNow()))}
    </span>
  )
}
