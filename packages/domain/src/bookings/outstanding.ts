import type { Amount } from '../money/amount.ts'
import { dueOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { RiderFacts } from './facts.ts'

type OneBooking = Pick<Booking, 'id'>

/** A rider's trips that wait to be paid, oldest first, besides the booking at hand. Those the rider objects to are left out. */
export function unpaidOf({ trips }: Pick<RiderFacts, 'trips'>, besides: OneBooking | null = null): Booking[] {
  return trips.filter(
    ({ id, status, objection }) => status === 'PENDING' && objection !== 'open' && id !== besides?.id,
  )
}

/** The outstanding amounts that drivers say were not paid and the rider says were, until an admin decides. */
export function contestedOf({ trips }: Pick<RiderFacts, 'trips'>): Amount {
  return trips.reduce(
    (sum, { objection, contested_amount }) => sum + (objection === 'open' ? contested_amount : 0),
    0,
  )
}

/** What a rider owes besides the booking at hand, contested or not: unpaid trips, and what the balance is below zero. */
export function owedOf(rider: RiderFacts, besides: OneBooking | null = null): Amount {
  const trips = unpaidOf(rider, besides).reduce((sum, trip) => sum + Math.max(0, dueOf(trip)), 0)
  return trips + Math.max(0, -rider.walletBalance)
}

/** What of it a rider is asked for. */
export function outstandingOf(rider: RiderFacts, besides: OneBooking | null = null): Amount {
  return Math.max(0, owedOf(rider, besides) - contestedOf(rider))
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
