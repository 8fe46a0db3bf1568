import type { BookingView } from '@hansom/contract/bookings'
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
  status: BookingView['status']
  /** Dispatch starts later. */
  isPlanned?: boolean
}

/** A booking's status as a tag. */
export function StatusTag({ status, isPlanned = false }: Props) {
  const { t } = useText()
  return (
    <span className={classes.tone} data-tone={tones[status]}>
      {t(isPlanned ? 'history.status_planned' : `history.status_${status}`)}
    </span>
  )
}
