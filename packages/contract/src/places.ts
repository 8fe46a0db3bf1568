import { placeServices } from '@hansom/domain/geo/map-services'
import { z } from 'zod'
import { base } from './base.ts'
import { latitude, longitude, point } from './shapes.ts'

export const place = z.object({
  id: z.string(),
  label: z.string(),
  detail: z.string(),
  kind: z.enum(['street', 'address', 'place']),
  lat: z.number(),
  lng: z.number(),
  /** The requested house number if it is unknown; the result is then the nearest one, or only the street. */
  missingNumber: z.int().optional(),
  /** The outside service that answered; none for the embedded map. Its attribution must be shown. */
  source: z.enum(placeServices).optional(),
})
export type Place = z.infer<typeof place>

/** A search result. Without a position, `places.place` has it. */
export const suggestion = place.partial({ lat: true, lng: true })
export type Suggestion = z.infer<typeof suggestion>

/** Identifies one person typing one address, from the first search to `places.place`. */
const session = z
  .string()
  .regex(/^[\w-]{8,36}$/)
  .optional()
/** Some services have ids of this length. */
export const placeId = z.string().min(1).max(500)

export const route = z.object({
  distanceKm: z.number(),
  durationS: z.number(),
  /** Encoded polyline, precision 5. */
  polyline: z.string(),
})

/** Place search, reverse geocoding and routing for everyone, signed in or not; rate limited by IP address. */
export const placesContract = {
  search: base
    .route({ method: 'GET', path: '/api/v1/places', tags: ['places'] })
    .input(
      z.object({
        q: z.string().trim().min(1).max(120),
        lat: z.coerce.number().pipe(latitude).optional(),
        lng: z.coerce.number().pipe(longitude).optional(),
        limit: z.coerce.number().pipe(z.int().min(1).max(20)).optional(),
        session,
      }),
    )
    .output(z.array(suggestion)),
  /** A search result by its id. Throws not_found if the id is unknown. */
  place: base
    .route({ method: 'GET', path: '/api/v1/places/{id}', tags: ['places'] })
    .input(z.object({ id: placeId, session }))
    .output(place),
  address: base
    .route({ method: 'GET', path: '/api/v1/address', tags: ['places'] })
    .input(z.object({ lat: z.coerce.number().pipe(latitude), lng: z.coerce.number().pipe(longitude) }))
    .output(place),
  route: base
    .route({ method: 'POST', path: '/api/v1/route', tags: ['places'] })
    .input(z.object({ points: z.array(point).min(2).max(27) }))
    .output(route),
}
