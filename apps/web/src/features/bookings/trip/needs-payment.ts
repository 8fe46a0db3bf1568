import type { BookingView } from '@hansom/contract/bookings'
import { isByCard } from '@hansom/domain/bookings/amounts'

type Owed = Pick<BookingView, 'status' | 'payment_mode' | 'payableAmount'>

/** True if the booking waits for the rider's payment: at its end, or in advance by card. */
export function toBePaid({ status, payment_mode, payableAmount }: Owed): boolean {
  if (status === 'PENDING') return true
  // Other payment methods continue automatically.
  return status === 'PAYMENT_PENDING' && isByCard(payment_mode) && payableAmount > 0
}

/** The amount the rider paid before the end of the trip, by card and from the wallet. */
export function paidInAdvance(trip: Pick<BookingView, 'cardPaymentAmount' | 'usedWalletMoney'>): number {
  return trip.cardPaymentAmount + trip.usedWalletMoney
}
