import { sharedStatuses } from '@hansom/domain/access/shared-trip'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant, placePoint } from './shapes.ts'
import { trackingPoint } from './tracking.ts'

/** A trip as its link shows it. `point` is the car's last position, null before a driver accepts. */
export const sharedTrip = z.object({
  status: z.enum(sharedStatuses),
  tripdate: instant,
  carType: z.string(),
  vehicle_number: z.string().nullable(),
  vehicle_make: z.string().nullable(),
  vehicle_model: z.string().nullable(),
  pickup: placePoint,
  drop: placePoint,
  /** Planned route, encoded polyline of precision 5. */
  route: z.string(),
  /** Planned driving time, s. */
  estimateTime: z.number(),
  promised_arrival: instant.nullable(),
  trip_start_time: instant.nullable(),
  point: trackingPoint.nullable(),
})
export type SharedTripView = z.infer<typeof sharedTrip>

const ofBooking = <M extends 'GET' | 'POST' | 'DELETE'>(method: M) =>
  base.route({ method, path: '/api/v1/bookings/{id}/links', tags: ['trip links'] })
const active = z.object({
  /** Links that show the trip now. */
  active: z.int(),
})

/** Links that show a trip without sign-in while it is under way. */
export const tripLinksContract = {
  count: ofBooking('GET').input(z.object({ id })).output(active),
  /** A new link: `path` is its page. Too many for one trip is conflict; a trip that has ended is link_expired. */
  create: base
    .route({
      method: 'POST',
      path: '/api/v1/bookings/{id}/links',
      tags: ['trip links'],
      successStatus: 201,
    })
    .input(z.object({ id }))
    .output(z.object({ path: z.string() })),
  /** Ends all links of a trip. */
  revoke: ofBooking('DELETE').input(z.object({ id })).output(active),
  /** Throws link_expired for an unknown or revoked link and once the trip has ended. */
  show: base
    .route({ method: 'GET', path: '/api/v1/track/{token}', tags: ['trip links'] })
    .input(z.object({ token: z.string().max(64) }))
    .output(sharedTrip),
}
