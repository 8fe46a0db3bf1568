import type { BookingView } from '@hansom/contract/bookings'
import { isByCard } from '@hansom/domain/bookings/amounts'

type Owed = Pick<BookingView, 'status' | 'payment_mode' | 'payableAmount'>

/** Whether the booking waits for its rider to pay: at its end, or in advance by card. */
export function toBePaid({ status, payment_mode, payableAmount }: Owed): boolean {
  if (status === 'PENDING') return true
  // What is paid otherwise, or needs no card, goes on by itself in a moment.
  return status === 'PAYMENT_PENDING' && isByCard(payment_mode) && payableAmount > 0
}

/** What the rider has paid for a trip before its end, by card and from the wallet. */
export function paidInAdvance(trip: Pick<BookingView, 'cardPaymentAmount' | 'usedWalletMoney'>): number {
  return trip.cardPaymentAmount + trip.usedWalletMoney
}
