import { promoDiscount } from '../fare/promo.ts'
import type { Amount } from '../money/amount.ts'
import type { Booking, PromoDetails } from './booking.ts'
import type { RiderFacts } from './facts.ts'
import type { PaymentMode } from './status.ts'
import { isOneOf } from './status.ts'

/** The price of a trip and what was paid of it. */
type PriceAndPaid = Pick<
  Booking,
  | 'trip_cost'
  | 'discount_amount'
  | 'written_off_amount'
  | 'usedWalletMoney'
  | 'cardPaymentAmount'
  | 'cashPaymentAmount'
>
type Paid = PriceAndPaid & Pick<Booking, 'status' | 'prepaid'>

/** What a trip costs the rider, however it is paid. */
export function fareToPay({
  trip_cost,
  discount_amount,
  written_off_amount,
}: Pick<Booking, 'trip_cost' | 'discount_amount' | 'written_off_amount'>): Amount {
  return trip_cost - discount_amount - written_off_amount
}

/** The amount the rider still has to pay; negative when more was paid in advance than the trip cost. */
export function dueOf(booking: PriceAndPaid): Amount {
  return fareToPay(booking) - paidSoFar(booking)
}

function paidSoFar({
  usedWalletMoney,
  cardPaymentAmount,
  cashPaymentAmount,
}: Pick<Booking, 'usedWalletMoney' | 'cardPaymentAmount' | 'cashPaymentAmount'>): Amount {
  return usedWalletMoney + cardPaymentAmount + cashPaymentAmount
}

/** The escrow of a booking: the rider's money and, once prepaid, the promo's part. */
export function escrowOf(booking: Paid): { paid: Amount; promo: Amount } {
  if (isOneOf(['PAID', 'COMPLETE', 'CANCELLED'], booking.status)) return { paid: 0, promo: 0 }
  return {
    paid: paidSoFar(booking),
    promo: booking.prepaid ? booking.discount_amount : 0,
  }
}

/** The amounts of a booking that are only estimates if it is cancelled. */
interface Estimated {
  status: Booking['status']
  trip_cost: Amount
  convenience_fees: Amount | null
  driver_share: Amount | null
  discount_amount: Amount
}

/** A booking with what was charged: a cancelled one charged its cancellation fee only. Hidden amounts stay hidden. */
export function charged<B extends Estimated>(booking: B): B {
  if (booking.status !== 'CANCELLED') return booking
  const { convenience_fees: fees, driver_share: share } = booking
  const none = { convenience_fees: fees === null ? null : 0, driver_share: share === null ? null : 0 }
  return { ...booking, ...none, trip_cost: 0, discount_amount: 0 }
}

/** True for a trip that ended without the rider paying their part of it: the platform bears the rest. */
export function isWrittenOff(
  booking: Pick<Booking, 'status' | 'customer_paid'> & Parameters<typeof fareToPay>[0],
): boolean {
  return isOneOf(['PAID', 'COMPLETE'], booking.status) && booking.customer_paid < fareToPay(booking)
}

/** True for the payment methods that involve a payment provider. */
export function isByCard(mode: PaymentMode): mode is 'card' | 'wallet_card' {
  return mode === 'card' || mode === 'wallet_card'
}

/** True if the booking waits for the rider's payment: at its end, or in advance by card. */
export function toBePaid({
  status,
  payment_mode,
  payableAmount,
}: Pick<Booking, 'status' | 'payment_mode' | 'payableAmount'>): boolean {
  if (status === 'PENDING') return true
  // Other payment methods continue automatically.
  return status === 'PAYMENT_PENDING' && isByCard(payment_mode) && payableAmount > 0
}

/** False without a payment provider, and for a guest, who has no email: no sign-in with which to open a checkout. */
export function mayPayByCard({
  cardAvailable,
  email,
}: {
  cardAvailable: boolean
  email: string | null
}): boolean {
  return cardAvailable && email !== null
}

/** The wallet part of a wallet-and-card payment: the balance, at most the amount due. */
export function walletPart(balance: Amount, due: Amount): Amount {
  return Math.max(0, Math.min(balance, due))
}

/**
 * The discount and promo fields of a booking at a price. A promo that no longer applies to the price gives no discount.
 */
export function discountFields(
  tripCost: Amount,
  promo: { id: string; details: PromoDetails } | null,
  decimal: number,
): Pick<Booking, 'discount_amount' | 'promo_applied' | 'promo_id' | 'promo_details'> {
  const discount_amount = promo ? promoDiscount(promo.details, tripCost, decimal) : 0
  return {
    discount_amount,
    promo_applied: discount_amount > 0,
    promo_id: promo?.id ?? null,
    promo_details: promo?.details ?? null,
  }
}

type OneBooking = Pick<Booking, 'id'>

/** A rider's unpaid trips, oldest first, without `besides`. Trips the rider objects to are left out. */
export function unpaidOf({ trips }: Pick<RiderFacts, 'trips'>, besides: OneBooking | null = null): Booking[] {
  return trips.filter(
    ({ id, status, objection }) => status === 'PENDING' && objection !== 'open' && id !== besides?.id,
  )
}

/** The outstanding amounts that the driver reports as unpaid and the rider as paid, until an admin decides. */
export function contestedOf({ trips }: Pick<RiderFacts, 'trips'>): Amount {
  return trips.reduce(
    (sum, { objection, contested_amount }) => sum + (objection === 'open' ? contested_amount : 0),
    0,
  )
}

/** A rider's debt other than the booking `besides`, contested or not: unpaid trips and a negative balance. */
export function owedOf(rider: RiderFacts, besides: OneBooking | null = null): Amount {
  const trips = unpaidOf(rider, besides).reduce((sum, trip) => sum + Math.max(0, dueOf(trip)), 0)
  return trips + Math.max(0, -rider.walletBalance)
}

/** The part of the debt that is collected: without contested amounts. */
export function outstandingOf(rider: RiderFacts, besides: OneBooking | null = null): Amount {
  return Math.max(0, owedOf(rider, besides) - contestedOf(rider))
}

/** How money beyond a trip's price is divided. */
export interface Allocation {
  trips: { booking: Booking; amount: Amount }[]
  toRider: Amount
}

/** Divides money beyond a trip's price: pays unpaid trips in full, oldest first; the rest goes to the rider. */
export function allocate(money: Amount, unpaid: readonly Booking[]): Allocation {
  let left = Math.max(0, money)
  const trips: Allocation['trips'] = []
  for (const booking of unpaid) {
    const amount = dueOf(booking)
    if (amount <= 0 || amount > left) continue
    left -= amount
    trips.push({ booking, amount })
  }
  return { trips, toRider: left }
}

/** The amounts shown to rider and driver, and collected: the trip, the outstanding amount, and the total. */
export interface ToCollect {
  trip: Amount
  outstanding: Amount
  total: Amount
}

/**
 * The single source of the amount to pay with a booking. At REACHED the outstanding amount is fixed; otherwise it is
 * `outstanding`, the rider's current one. A trip paid from the wallet or in advance collects nothing else.
 */
export function toCollect(booking: Booking, outstanding: Amount): ToCollect {
  const isOver = ['PAID', 'COMPLETE', 'CANCELLED'].includes(booking.status)
  const trip = isOver ? 0 : Math.max(0, dueOf(booking))
  const isAlone = isOver || booking.prepaid || booking.payment_mode === 'wallet'
  const more = isAlone ? 0 : booking.status === 'REACHED' ? (booking.outstanding_amount ?? 0) : outstanding
  return { trip, outstanding: more, total: trip + more }
}
