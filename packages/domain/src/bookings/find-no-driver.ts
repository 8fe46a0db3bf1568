import { cancelled } from './cancelled.ts'
import type { Outcome } from './decision.ts'
import type { Facts } from './facts.ts'
import { notify } from './notices.ts'

/** Reason of a booking that no driver took. */
export const noDriverFound = 'no_driver_found'

/** All waves have passed without a driver: refunds the money and offers to search again. */
export function findNoDriver({ booking }: Facts): Outcome {
  const outcome = cancelled(booking, { by: 'system', reason: noDriverFound, fee: 0 })
  return {
    ...outcome,
    effects: [...(outcome.effects ?? []), notify(booking, booking.customer, 'search_again', 'BookingCab')],
  }
}
