import { driverBlocks } from '@hansom/domain/users/driver-blocks'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant, latitude, longitude } from './shapes.ts'

/** A driver's position. `bearing` is degrees clockwise from north, `speed` km/h, `accuracy` m. */
export const position = z.object({
  lat: latitude,
  lng: longitude,
  at: instant,
  bearing: z.number().min(0).max(360).nullable().optional(),
  speed: z.number().min(0).max(400).nullable().optional(),
  accuracy: z.number().min(0).max(100_000).nullable().optional(),
})
export type Position = z.infer<typeof position>

/** A tracking point of a booking as sent to its viewers; `arrivalS` is the remaining driving time to pickup or drop. */
export const trackingPoint = position.extend({
  id: z.int(),
  status: z.string(),
  arrivalS: z.number().nullable(),
})
export type TrackingPoint = z.infer<typeof trackingPoint>

/** An anonymous car on the map: how riders see free drivers. */
export const nearbyCar = z.object({
  lat: z.number(),
  lng: z.number(),
  bearing: z.number().nullable(),
  car_type_id: id,
})
export type NearbyCar = z.infer<typeof nearbyCar>

export const driverState = z.object({
  driverActiveStatus: z.boolean(),
  queue: z.boolean(),
  approved: z.boolean(),
  location: position.nullable(),
  /** Reasons why no request can reach the driver now. */
  blocked: z.array(z.enum(driverBlocks)),
  today: z.object({ trips: z.int(), earnings: z.int(), cash_owed: z.int() }),
})
export type DriverState = z.infer<typeof driverState>

export const trackingContract = {
  /** The latest point. Throws location_fetch_error unless exactly one exists. */
  latest: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/tracking', tags: ['tracking'] })
    .input(z.object({ id }))
    .output(trackingPoint),
  /** The route driven so far, encoded polyline of precision 5. */
  path: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/path', tags: ['tracking'] })
    .input(z.object({ id }))
    .output(z.object({ polyline: z.string(), distanceKm: z.number() })),
  nearby: base
    .route({ method: 'GET', path: '/api/v1/nearby-cars', tags: ['tracking'] })
    .input(z.object({ lat: z.coerce.number().pipe(latitude), lng: z.coerce.number().pipe(longitude) }))
    .output(z.array(nearbyCar)),
  state: base.route({ method: 'GET', path: '/api/v1/driver', tags: ['drivers'] }).output(driverState),
  online: base
    .route({ method: 'POST', path: '/api/v1/driver/online', tags: ['drivers'] })
    .input(z.strictObject({ online: z.boolean() }))
    .output(driverState),
  /**
   * Reports positions, oldest first. Those of a started trip are durable when this returns. The live socket accepts
   * them too.
   */
  report: base
    .route({ method: 'POST', path: '/api/v1/driver/positions', tags: ['drivers'] })
    .input(z.strictObject({ positions: z.array(position).min(1).max(500) }))
    .output(z.object({ accepted: z.int() })),
}
