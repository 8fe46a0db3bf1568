import type { BookingView } from '@hansom/contract/bookings'
import { useText } from '../../lib/i18n.ts'
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

/** How a booking stands, in a word. */
export function StatusTag({ status }: { status: BookingView['status'] }) {
  const { t } = useText()
  return (
    <span className={classes.tone} data-tone={tones[status]}>
      {t(`history.status_${status}`)}
    </span>
  )
}
