import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { momentOf } from './moment.ts'
import { notify } from './notices.ts'

/** The driver is at the pickup. */
export function arrive({ booking }: Facts, input: InputOf<'arrive'>, now: number): Outcome {
  return {
    to: 'ARRIVED',
    changes: { driver_arrive_time: momentOf(booking, input.at, now) },
    effects: [notify(booking, booking.customer, 'driver_near', 'BookedCab')],
  }
}
