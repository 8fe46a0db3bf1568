import type { MapService } from '@hansom/domain/geo/map-services'
import { z } from 'zod'
import { type AdapterDeps, encodedLine, endpoint, lngLat, quantity, type RouteAdapter } from './adapter.ts'
import { MapServiceError } from './call.ts'

const route = z.object({
  code: z.string(),
  routes: z.array(z.object({ distance: quantity, duration: quantity, geometry: encodedLine(5) })).default([]),
})
const cells = z.array(z.array(quantity.nullable()))
const table = z.object({
  code: z.string(),
  durations: cells.optional(),
  distances: cells.optional(),
})
const noRoute = ['NoRoute', 'NoSegment', 'NoTable']
const problemCode = z.object({ code: z.string() })

interface OsrmDeps extends AdapterDeps {
  service?: MapService
  url: string
  /** Before the coordinates. */
  routePath?: string
  tablePath?: string
  query?: Record<string, string>
  mostPoints?: number
  mostStarts?: number
}

/**
 * OSRM's route and table services, and the services of Mapbox that follow them.
 * https://project-osrm.org/docs/v5.24.0/api/
 */
export function osrmRoutes(deps: OsrmDeps): RouteAdapter {
  const {
    call,
    url,
    service = 'osrm',
    routePath = '/route/v1/driving/',
    tablePath = '/table/v1/driving/',
    query = {},
    mostPoints = 100,
    mostStarts = 99,
  } = deps

  return {
    mostPoints,
    mostStarts,
    route: async (points) => {
      const reply = await call({
        kind: 'route',
        url: endpoint(url, routePath + points.map(lngLat).join(';'), {
          ...query,
          overview: 'full',
          geometries: 'polyline',
        }),
        shape: route,
      })
      if (reply.answer === null) return noneOrThrow(service, reply.problem)
      const [best] = reply.answer.routes
      if (best === undefined) return noneOrThrow(service, reply.answer)
      const { distance, duration, geometry } = best
      return { distanceKm: distance / 1000, durationS: duration, polyline: geometry }
    },
    driveTimes: async (froms, to) => {
      const reply = await call({
        kind: 'driveTimes',
        units: froms.length,
        url: endpoint(url, tablePath + [...froms, to].map(lngLat).join(';'), {
          ...query,
          sources: froms.map((_, index) => index).join(';'),
          destinations: froms.length,
          annotations: 'duration,distance',
        }),
        shape: table,
      })
      const { durations, distances } = reply.answer ?? {}
      if (!durations || !distances) {
        noneOrThrow(service, reply.answer ?? ('problem' in reply ? reply.problem : null))
        return froms.map(() => null)
      }
      return froms.map((_, index) => {
        const [durationS, meters] = [durations[index]?.[0], distances[index]?.[0]]
        if (durationS === undefined || durationS === null) return null
        if (meters === undefined || meters === null) return null
        return { distanceKm: meters / 1000, durationS }
      })
    },
  }
}

/** Null if the code means that no route exists. Throws MapServiceError for others. */
function noneOrThrow(service: MapService, problem: unknown): null {
  const { data } = problemCode.safeParse(problem)
  if (data !== undefined && noRoute.includes(data.code)) return null
  throw new MapServiceError(service, 'rejected', data?.code.slice(0, 40))
}
