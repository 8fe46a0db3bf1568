import type { Amount } from '../money/amount.ts'
import { cancellation } from '../wallet/trip-entries.ts'
import { escrowOf } from './amounts.ts'
import type { Booking, Canceller } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'

/** Why, by whom and at what price a booking ends unpaid. */
export interface Cancelling {
  by: Canceller
  reason: string
  fee: Amount
}

/**
 * The booking ends: the escrow is emptied (the fee to the driver, the rest back), the promo's use and the driver are
 * free again, requests are withdrawn.
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

/** What every cancelled booking says. */
export function endedFields(
  by: Canceller,
  reason: string,
): Pick<Booking, 'reason' | 'cancelledBy' | 'customer_paid' | 'payableAmount'> {
  return { reason, cancelledBy: by, customer_paid: 0, payableAmount: 0 }
}

/** The driver is free again, or the requests are withdrawn. */
export function releaseEffects(booking: Booking): Effect[] {
  return booking.driver === null
    ? [{ kind: 'remove_requests' }]
    : [{ kind: 'free_driver', driver: booking.driver }]
}
