import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'

/** The driver is at the pickup. */
export function arrive({ booking }: Facts, _input: InputOf<'arrive'>, now: number): Outcome {
  return {
    to: 'ARRIVED',
    changes: { driver_arrive_time: now },
    effects: [notify(booking, booking.customer, 'driver_near', 'BookedCab')],
  }
}
