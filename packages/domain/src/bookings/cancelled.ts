import type { Amount } from '../money/amount.ts'
import { cancellation } from '../wallet/trip-entries.ts'
import { escrowOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Canceller } from './choices.ts'
import type { Effect, Outcome } from './decision.ts'

/** The canceller, reason and fee of a booking that ends unpaid. */
export interface Cancelling {
  by: Canceller
  reason: string
  fee: Amount
}

/**
 * Ends the booking: empties the escrow (the fee to the driver, the rest back), releases the promo and the driver, and
 * withdraws the requests.
 */
export function cancelled(booking: Booking, { by, reason, fee }: Cancelling): Outcome {
  const { id, customer, driver } = booking
  return {
    to: 'CANCELLED',
    changes: { ...endedFields(by, reason), cancellation_fee: driver === null ? 0 : fee },
    entries: cancellation({ booking: id, rider: customer, driver, fee, ...escrowOf(booking) }),
    effects: [
      ...releaseEffects(booking),
      ...(booking.promo_id === null ? [] : [{ kind: 'release_promo' as const, promo: booking.promo_id }]),
    ],
    reason,
  }
}

/** Fields set on every cancelled booking. */
export function endedFields(
  by: Canceller,
  reason: string,
): Pick<Booking, 'reason' | 'cancelledBy' | 'customer_paid' | 'payableAmount'> {
  return { reason, cancelledBy: by, customer_paid: 0, payableAmount: 0 }
}

/** Frees the driver, or withdraws the requests. */
export function releaseEffects(booking: Booking): Effect[] {
  return booking.driver === null
    ? [{ kind: 'remove_requests' }]
    : [{ kind: 'free_driver', driver: booking.driver }]
}
