import type { Amount } from '../money/amount.ts'
import { dueOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { RiderFacts } from './facts.ts'

/** What a rider owes besides the booking at hand: other unpaid trips, and what the balance is below zero. */
export function outstandingOf({ walletBalance, unpaid, contested }: RiderFacts): Amount {
  const trips = unpaid.reduce((sum, trip) => sum + Math.max(0, dueOf(trip)), 0)
  return Math.max(0, trips + Math.max(0, -walletBalance) - contested)
}

/** What one payment pays besides its own trip. */
export interface Allocation {
  trips: { booking: Booking; amount: Amount }[]
  toRider: Amount
}

/** Divides money that goes beyond a trip's own price: unpaid trips as a whole, oldest first; the rest is the rider's. */
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

/** What rider and driver are shown, and what is collected: the trip, the outstanding amount, and both together. */
export interface ToCollect {
  trip: Amount
  outstanding: Amount
  total: Amount
}

/**
 * The one figure of what is to be paid with a booking. At REACHED the outstanding amount is fixed; otherwise it is
 * `outstanding`, the rider's of this moment. A trip that is paid from the wallet or was paid in advance collects nothing else.
 */
export function toCollect(booking: Booking, outstanding: Amount): ToCollect {
  const isOver = ['PAID', 'COMPLETE', 'CANCELLED'].includes(booking.status)
  const trip = isOver ? 0 : Math.max(0, dueOf(booking))
  const isAlone = isOver || booking.prepaid || booking.payment_mode === 'wallet'
  const more = isAlone ? 0 : booking.status === 'REACHED' ? (booking.outstanding_amount ?? 0) : outstanding
  return { trip, outstanding: more, total: trip + more }
}
