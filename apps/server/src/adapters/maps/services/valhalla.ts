import type { LatLng } from '@hansom/domain/geo/point'
import { z } from 'zod'
import { type AdapterDeps, encodedLine, endpoint, quantity, type RouteAdapter } from './adapter.ts'
import { MapServiceError } from './call.ts'

const trip = z.object({
  trip: z.object({
    summary: z.object({ length: quantity, time: quantity }),
    legs: z.array(z.object({ shape: encodedLine(6) })),
  }),
})
const matrix = z.object({
  sources_to_targets: z.array(
    z.array(z.object({ distance: quantity.nullable().optional(), time: quantity.nullable().optional() })),
  ),
})
const problemCode = z.object({ error_code: z.int() })
/** Unconnected regions, no street near a point, and no path. */
const noRoute = [170, 171, 442]

const location = ({ lat, lng }: LatLng) => ({ lat, lon: lng })

/**
 * Valhalla's route and time-distance matrix services. Its limits are those of the default configuration.
 * https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/
 * https://valhalla.github.io/valhalla/api/matrix/api-reference/
 */
export function valhallaRoutes({ call, url }: AdapterDeps & { url: string }): RouteAdapter {
  return {
    mostPoints: 20,
    mostStarts: 49,
    route: async (points) => {
      const reply = await call({
        kind: 'route',
        url: endpoint(url, '/route'),
        body: {
          locations: points.map(location),
          costing: 'auto',
          units: 'kilometers',
          directions_type: 'none',
        },
        shape: trip,
      })
      if (reply.answer === null) return noneOrThrow(reply.problem)
      const { summary, legs } = reply.answer.trip
      return {
        distanceKm: summary.length,
        durationS: summary.time,
        polyline: legs.flatMap(({ shape }) => shape),
      }
    },
    driveTimes: async (froms, to) => {
      const reply = await call({
        kind: 'driveTimes',
        units: froms.length,
        url: endpoint(url, '/sources_to_targets'),
        body: {
          sources: froms.map(location),
          targets: [location(to)],
          costing: 'auto',
          units: 'kilometers',
        },
        shape: matrix,
      })
      if (reply.answer === null) {
        noneOrThrow(reply.problem)
        return froms.map(() => null)
      }
      const rows = reply.answer.sources_to_targets
      return froms.map((_, index) => {
        const { distance, time } = rows[index]?.[0] ?? {}
        if (time === undefined || time === null) return null
        return distance === undefined || distance === null ? null : { distanceKm: distance, durationS: time }
      })
    },
  }
}

function noneOrThrow(problem: unknown): null {
  const { data } = problemCode.safeParse(problem)
  if (data !== undefined && noRoute.includes(data.error_code)) return null
  throw new MapServiceError('valhalla', 'rejected', data && String(data.error_code))
}
