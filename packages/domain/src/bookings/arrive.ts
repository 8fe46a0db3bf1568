import { distanceText } from '../geo/distance-unit.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { farAway } from './far-away.ts'
import { effectiveTime } from './effective-time.ts'
import { notify } from './notices.ts'

/** The driver is at the pickup. If they report it from far away, the rider is told the distance. */
export function arrive(
  { booking, settings, silence }: Facts,
  input: InputOf<'arrive'>,
  now: number,
): Outcome {
  const km = farAway(booking.pickup, input.location)
  return {
    to: 'ARRIVED',
    changes: { driver_arrive_time: effectiveTime(booking, input.at, now, silence), arrival_received_at: now },
    effects: [
      km === null
        ? notify(booking, booking.customer, 'driver_near', 'BookedCab')
        : notify(booking, booking.customer, 'arrived_far', 'BookedCab', {
            distance: distanceText(km, settings.convert_to_mile),
          }),
    ],
  }
}
