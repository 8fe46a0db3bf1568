import { type MapDouble, type MapRequest, type MapResponse, startMapDouble } from './map-double.ts'
import { encodeLine, type Point, routeBetween } from './street-grid.ts'

/**
 * Answers of OSRM's route and table services, and of Mapbox's, which follow them. After project-osrm.org/docs/v5.24.0/api
 * and docs.mapbox.com/api/navigation, read in November 2026. Null for another path. `badRequest` is the status of errors.
 */
export function answerOsrm(
  { url }: MapRequest,
  paths: { route: string; table: string },
  { badRequest, mostPoints }: { badRequest: number; mostPoints: number },
): MapResponse | null {
  const refuse = (code: string, status = badRequest): MapResponse => ({
    status,
    body: { code, message: code },
  })
  const service = url.pathname.startsWith(paths.route)
    ? 'route'
    : url.pathname.startsWith(paths.table)
      ? 'table'
      : null
  if (service === null) return null
  const points = pointsOf(url.pathname.slice(paths[service].length))
  if (points === null || points.length < 2) return refuse('InvalidQuery')
  if (points.length > mostPoints) return refuse('TooBig')
  if (service === 'route') {
    if (url.searchParams.get('geometries') !== 'polyline') return refuse('InvalidOptions')
    const legs = points.slice(1).map((to, at) => routeBetween(points[at] as Point, to))
    if (legs.includes(null)) return refuse('NoRoute', badRequest === 400 ? 400 : 200)
    const total = (what: 'meters' | 'seconds') => legs.reduce((sum, leg) => sum + (leg?.[what] ?? 0), 0)
    const geometry = encodeLine(
      legs.flatMap((leg) => leg?.line ?? []),
      5,
    )
    const distance = Math.round(total('meters') * 10) / 10
    const duration = Math.round(total('seconds') * 10) / 10
    return {
      body: { code: 'Ok', routes: [{ distance, duration, geometry, weight: duration }], waypoints: [] },
    }
  }
  const chosen = (name: string) =>
    url.searchParams
      .get(name)
      ?.split(';')
      .map((index) => points[Number(index)])
  const [sources, destinations] = [chosen('sources') ?? points, chosen('destinations') ?? points]
  if (sources.includes(undefined) || destinations.includes(undefined)) return refuse('InvalidOptions')
  const cells = (what: 'meters' | 'seconds') =>
    sources.map((from) =>
      destinations.map((to) => {
        const route = routeBetween(from as Point, to as Point)
        return route && Math.round(route[what] * 10) / 10
      }),
    )
  const annotations = (url.searchParams.get('annotations') ?? 'duration').split(',')
  return {
    body: {
      code: 'Ok',
      ...(annotations.includes('duration') ? { durations: cells('seconds') } : {}),
      ...(annotations.includes('distance') ? { distances: cells('meters') } : {}),
      sources: [],
      destinations: [],
    },
  }
}

/** Longitude first. Null for a latitude beyond the poles, as when the order is wrong. */
function pointsOf(text: string): Point[] | null {
  const points = text.split(';').map((pair): Point => {
    const [lng = Number.NaN, lat = Number.NaN] = pair.split(',').map(Number)
    return { lat, lng }
  })
  return points.every(({ lat, lng }) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180) ? points : null
}

/** A local OSRM. */
export function startOsrm(): Promise<MapDouble> {
  return startMapDouble(
    (request) =>
      answerOsrm(
        request,
        { route: '/route/v1/driving/', table: '/table/v1/driving/' },
        { badRequest: 400, mostPoints: 100 },
      ) ?? { status: 400, body: { code: 'InvalidUrl', message: 'URL string malformed' } },
  )
}
