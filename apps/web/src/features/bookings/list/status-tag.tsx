import type { BookingView } from '@hansom/contract/bookings'
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

interface Props {
  booking: Pick<BookingView, 'status' | 'drivers_asked_at'>
}

/** A booking's status as a tag. */
export function StatusTag({ booking: { status, drivers_asked_at } }: Props) {
  const { t } = useText()
  // Dispatch starts later.
  const isPlanned = status === 'NEW' && (drivers_asked_at ?? 0) > serverNow()
  return (
    <span className={classes.tone} data-tone={tones[status]}>
      {t(isPlanned ? 'history.status_planned' : `history.status_${status}`)}
    </span>
  )
}
