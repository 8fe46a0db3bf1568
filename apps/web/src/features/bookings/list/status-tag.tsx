import type { BookingView } from '@hansom/contract/bookings'
import type { TextKey } from '@hansom/domain/languages/text-key'
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

type StatusFields = Pick<BookingView, 'status' | 'drivers_asked_at'>

/** Text key of a booking's status; an upcoming one is not looking for a driver yet. */
export function statusKey({ status, drivers_asked_at }: StatusFields): TextKey {
  const isPlanned = status === 'NEW' && (drivers_asked_at ?? 0) > serverNow()
  return isPlanned ? 'history.status_planned' : `history.status_${status}`
}

/** A booking's status as a tag. */
export function StatusTag({ booking }: { booking: StatusFields }) {
  const { t } = useText()
  return (
    <span className={classes.tone} data-tone={tones[booking.status]}>
      {t(statusKey(booking))}
    </span>
  )
}
