import { z } from 'zod'
import { base } from './base.ts'

/** "lat,lng" in decimal degrees. */
const latLngText = z.string().regex(/^-?\d{1,2}(\.\d+)?,\s*-?\d{1,3}(\.\d+)?$/)
const error = z.object({ error: z.string() })
const fn = <P extends `/${string}`>(path: P) => base.route({ method: 'POST', path, tags: ['functions'] })

/** The HTTPS functions at their exact paths. All of these need a bearer token. */
export const functionsContract = {
  getAddress: fn('/googleapis-getaddress')
    .input(z.object({ latlng: latLngText }))
    .output(z.union([z.object({ success: z.literal(true), address: z.string() }), error])),
  getDriveTime: fn('/googleapis-getdrivetime')
    .input(z.object({ start: latLngText, dest: latLngText }))
    .output(z.union([z.object({ distance_in_km: z.number(), time_in_secs: z.number() }), error])),
  getMultiLocTime: fn('/googleapis-getmultiloctime')
    .input(
      z.object({
        start: latLngText,
        dest: latLngText,
        waypoints: z.union([z.array(latLngText).max(25), z.string()]).optional(),
      }),
    )
    .output(z.union([z.object({ distance_in_km: z.number(), time_in_secs: z.number() }), error])),
  autocomplete: fn('/googleapis-autocomplete')
    .input(z.object({ searchKeyword: z.string().max(120), country: z.string().max(60).optional() }))
    .output(
      z.union([
        z.object({ searchResults: z.array(z.object({ place_id: z.string(), description: z.string() })) }),
        error,
      ]),
    ),
  getCoords: fn('/googleapis-getcoords')
    .input(z.object({ place_id: z.string().max(200) }))
    .output(z.union([z.object({ coords: z.object({ lat: z.number(), lng: z.number() }) }), error])),
  getRoute: fn('/googleapis-getroute')
    .input(z.object({ start: latLngText, dest: latLngText }))
    .output(
      z.union([
        z.object({
          distance: z.number(),
          duration: z.number(),
          polylinePoints: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
          coords: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
        }),
        error,
      ]),
    ),
}
