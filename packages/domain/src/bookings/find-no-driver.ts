import { cancelled } from './cancelled.ts'
import type { Outcome } from './decision.ts'
import type { Facts } from './facts.ts'
import { notify } from './notices.ts'

/** The reason of a booking for which nobody was found. */
export const noDriverFound = 'no_driver_found'

/** Every wave has passed and nobody took the trip: the money goes back and searching again is offered. */
export function findNoDriver({ booking }: Facts): Outcome {
  const outcome = cancelled(booking, { by: 'system', reason: noDriverFound, fee: 0 })
  return {
    ...outcome,
    effects: [...(outcome.effects ?? []), notify(booking, booking.customer, 'search_again', 'BookingCab')],
  }
}
