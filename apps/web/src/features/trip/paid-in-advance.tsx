import type { BookingView } from '@hansom/contract/bookings'
import { isOneOf } from '@hansom/domain/booking/status'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import classes from './payment.module.css'
import { paidInAdvance } from './to-be-paid.ts'

const beforeTheEnd = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'] as const

/** On the way: that the trip is paid for already, and with how much; at its end the receipt says it. */
export function PaidInAdvance({ view }: { view: BookingView }) {
  const { t } = useText()
  if (view.viewer !== 'rider' || !view.prepaid || !isOneOf(beforeTheEnd, view.status)) return null
  return (
    <p className={classes.inAdvance}>
      <span>{t('trip.paid_in_advance')}</span>
      <Money amount={paidInAdvance(view)} />
    </p>
  )
}
