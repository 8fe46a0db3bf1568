import type { BookingView } from '@hansom/contract/bookings'
import { isOneOf } from '@hansom/domain/bookings/status'
import { useText } from '../../../lib/i18n.ts'
import { Money } from '../../../ui/money.tsx'
import classes from './payment.module.css'
import { paidInAdvance } from './to-be-paid.ts'

const beforeTheEnd = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'] as const

/**
 * That the trip is paid for already, and with how much; of one cancelled free of charge, that all of it is back. Otherwise
 * the receipt says it at the end.
 */
export function PaidInAdvance({ view }: { view: BookingView }) {
  const { t } = useText()
  const isBack = view.status === 'CANCELLED' && view.cancellation_fee === 0 && view.rebooked_as === null
  const isShown = isBack || isOneOf(beforeTheEnd, view.status)
  if (view.viewer !== 'rider' || !view.prepaid || !isShown) return null
  return (
    <p className={classes.inAdvance}>
      <span>{t(isBack ? 'trip.back_in_wallet' : 'trip.paid_in_advance')}</span>
      <Money amount={paidInAdvance(view)} />
    </p>
  )
}
