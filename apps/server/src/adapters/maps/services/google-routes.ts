import type { LatLng } from '@hansom/domain/geo/point'
import { z } from 'zod'
import { type AdapterDeps, encodedLine, endpoint, quantity, type RouteAdapter } from './adapter.ts'
import { MapServiceError } from './call.ts'
import { failureOfProblem } from './google-problem.ts'

/** JSON of protocol buffers leaves out zeros. */
const meters = quantity.default(0)
const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?s$/)
  .transform((text) => Number(text.slice(0, -1)))
const routes = z.object({
  routes: z
    .array(
      z.object({
        distanceMeters: meters,
        duration: seconds,
        polyline: z.object({ encodedPolyline: encodedLine(5) }),
      }),
    )
    .default([]),
})
const elements = z.array(
  z.object({
    originIndex: z.int().min(0).default(0),
    status: z.object({ code: z.int().optional() }).optional(),
    condition: z.string().optional(),
    distanceMeters: meters,
    duration: seconds.optional(),
  }),
)

const waypoint = ({ lat, lng }: LatLng) => ({ location: { latLng: { latitude: lat, longitude: lng } } })
const byCar = { travelMode: 'DRIVE', routingPreference: 'TRAFFIC_UNAWARE' } as const
/** More stops between the ends are of a price class that costs twice as much. */
const cheapStops = 10

/**
 * Routes API: Compute Routes and Compute Route Matrix, without live traffic.
 * https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes
 * https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRouteMatrix
 */
export function googleRoutes({ call, key, url }: AdapterDeps & { key: string }): RouteAdapter {
  const base = url ?? 'https://routes.googleapis.com'
  const headers = (...fields: string[]) => ({ 'x-goog-api-key': key, 'x-goog-fieldmask': fields.join(',') })

  return {
    mostPoints: 27,
    mostStarts: 100,
    route: async (points) => {
      const { answer } = await call({
        kind: 'route',
        units: points.length - 2 > cheapStops ? 2 : 1,
        url: endpoint(base, '/directions/v2:computeRoutes'),
        headers: headers('routes.distanceMeters', 'routes.duration', 'routes.polyline.encodedPolyline'),
        body: {
          origin: waypoint(points[0] as LatLng),
          destination: waypoint(points.at(-1) as LatLng),
          intermediates: points.slice(1, -1).map(waypoint),
          polylineQuality: 'HIGH_QUALITY',
          ...byCar,
        },
        shape: routes,
        failureOfProblem,
      })
      if (answer === null) throw new MapServiceError('google', 'rejected')
      const [best] = answer.routes
      if (best === undefined) return null
      return {
        distanceKm: best.distanceMeters / 1000,
        durationS: best.duration,
        polyline: best.polyline.encodedPolyline,
      }
    },
    driveTimes: async (froms, to) => {
      const { answer } = await call({
        kind: 'driveTimes',
        units: froms.length,
        url: endpoint(base, '/distanceMatrix/v2:computeRouteMatrix'),
        // Without `status`, failed elements look like successful ones.
        headers: headers(
          'originIndex',
          'destinationIndex',
          'status',
          'condition',
          'distanceMeters',
          'duration',
        ),
        body: {
          origins: froms.map((from) => ({ waypoint: waypoint(from) })),
          destinations: [{ waypoint: waypoint(to) }],
          ...byCar,
        },
        shape: elements,
        failureOfProblem,
      })
      if (answer === null) throw new MapServiceError('google', 'rejected')
      // Elements arrive in any order.
      const byOrigin = new Map(answer.map((element) => [element.originIndex, element]))
      return froms.map((_, index) => {
        const element = byOrigin.get(index)
        if (element?.duration === undefined || element.condition !== 'ROUTE_EXISTS') return null
        if (element.status?.code) return null
        return { distanceKm: element.distanceMeters / 1000, durationS: element.duration }
      })
    },
  }
}
