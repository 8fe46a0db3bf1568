import { endUnfinished } from '../deliveries/unfinished.ts'
import { Refusal } from '../error-keys.ts'
import { fareFor } from '../fare/fare.ts'
import { distanceText } from '../geo/distance-unit.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import { outstandingOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Outcome } from './decision.ts'
import { effectiveTime } from './effective-time.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { type Repriced, repriced } from './price.ts'

/**
 * The trip has ended. In the taxi category the drop is the driver's location, and distance, fare and discount are
 * recalculated from the track and the driving time. A delivery needs an outcome for every stop; an admin may end it
 * without, see `endUnfinished`.
 */
export function reach(facts: Facts, input: InputOf<'reach'>, now: number): Outcome | Refusal {
  const { booking, by, settings, silence, rider, delivery } = facts
  if (by.role === 'admin' && !input.reason?.trim()) return new Refusal('reason_needed')
  const at = effectiveTime(booking, input.at, now, silence)
  const unfinished = delivery && endUnfinished(booking, delivery, at, settings)
  if (by.role === 'driver' && unfinished) return new Refusal('stops_open')
  const total_trip_time = Math.max(0, Math.round((at - (booking.trip_start_time ?? at)) / 1000))
  const isTaxi = settings.category === 'taxi'
  const drop =
    isTaxi && input.location ? { ...input.location, add: input.address ?? booking.drop.add } : booking.drop
  // The stops of a delivery were checked one by one.
  const farKm = by.role === 'driver' && !delivery ? farAway(booking.drop, input.location) : null
  const final =
    isTaxi && input.track ? finalPrice(booking, input.track.distance, total_trip_time) : unfinished

  return {
    to: 'REACHED',
    changes: {
      trip_end_time: at,
      total_trip_time,
      drop: { lat: drop.lat, lng: drop.lng, add: drop.add },
      ...(input.track ?? {
        distance: booking.estimateDistance,
        distance_filled: booking.estimateDistance,
        distance_source: 'estimate' as const,
        distance_unmatched: 0,
      }),
      ...final?.changes,
      outstanding_amount:
        booking.payment_mode === 'cash' && !booking.prepaid ? outstandingOf(rider, booking) : null,
    },
    stops: unfinished?.stops ?? [],
    entries: final?.entries ?? [],
    effects: [
      ...(input.location
        ? [{ kind: 'track_point' as const, status: 'REACHED' as const, at, point: input.location }]
        : []),
      // The last drop of a delivery is where the recipient lives.
      ...(delivery ? [] : [{ kind: 'save_address' as const, user: booking.customer, point: drop }]),
      ...(farKm === null
        ? []
        : [
            notify(booking, booking.customer, 'ended_far', 'BookedCab', {
              distance: distanceText(farKm, settings.convert_to_mile),
            }),
          ]),
      ...(final?.effects ?? []),
    ],
    reason: input.reason ?? null,
  }
}

function finalPrice(booking: Booking, distanceKm: number, seconds: number): Repriced {
  const fare = fareFor(booking.fare_rule, distanceKm, seconds, booking.fare_parts.extras, booking)
  return repriced(booking, fare, 'promo_final')
}

/** Beyond this distance from the pickup or drop, the driver has to confirm the step and the rider is notified, km. */
const farAwayKm = 0.3

/** Distance from `place` in km if it is far away; null when near or when the location is unknown. */
export function farAway(place: LatLng, location: LatLng | null | undefined): number | null {
  if (!location) return null
  const km = greatCircleKm(location, place)
  return km > farAwayKm ? km : null
}
