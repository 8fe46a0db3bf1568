import type { BookingView } from '@hansom/contract/bookings'
import { useText } from '../../../lib/i18n.ts'
import { isolated } from '../../../lib/format.ts'
import { reasonText } from '../../../entities/bookings/reason-text.ts'
import classes from './trip-panel.module.css'

/** The reason that somebody else gave for the end; the platform's own is in the line above, the office reads the timeline. */
export function WhyCancelled({ view }: { view: BookingView }) {
  const { t } = useText()
  const { status, viewer, cancelledBy, reason } = view
  const isTold = viewer === 'rider' || viewer === 'driver'
  if (status !== 'CANCELLED' || !isTold || !reason) return null
  if (cancelledBy === viewer || cancelledBy === 'system') return null
  return <p className={classes.next}>{t('trip.why', { reason: isolated(reasonText(reason, t)) })}</p>
}
