import { type PlaceService, placeServices, type RouteService } from '@hansom/domain/geo/map-services'
import type { LatLng } from '@hansom/domain/geo/point'
import { servedCountries } from '@hansom/domain/settings/region-settings'
import { isInBox, overlap } from './area.ts'
import type { DriveTime, Maps, Place, PlaceSearch, Region, Route, Suggestion } from './port.ts'
import type { PlaceAdapter, RouteAdapter } from './services/adapter.ts'
import { MapServiceError } from './services/call.ts'

export interface OutsideDeps {
  embedded: Maps
  /** The configured service area; null: that of the embedded map. */
  area: Region | null
  places: { service: PlaceService; adapter: PlaceAdapter; isProbeDue: () => boolean } | null
  routes: { service: RouteService; adapter: RouteAdapter; isProbeDue: () => boolean } | null
  log: { warn(fields: object, message: string): void }
}

/**
 * The embedded map with outside services for places or routes. `isProbeDue`: the service's pause is over, and the next
 * call decides whether it continues. When a service fails, is paused or has reached its cap,
 * the embedded map answers if it covers the points; otherwise driving times are null, and the other operations throw
 * MapServiceError. Tiles are always embedded.
 */
export function withOutsideServices({ embedded, area, places, routes, log }: OutsideDeps): Maps {
  const region = area ?? embedded.region
  const covers = (point: LatLng) => (area ? isInBox(area.bounds, point) : embedded.covers(point))

  const answering =
    (isProbeDue: () => boolean): Answer =>
    async (ask, isKnown, instead) => {
      if (isProbeDue() && isKnown()) {
        // The probe may take all of its time, so that the caller gets the embedded map's answer.
        ask().catch(report)
        return instead()
      }
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof MapServiceError)) throw error
        report(error)
        if (!isKnown()) throw error
        return instead()
      }
    }
  const report = (error: unknown) => {
    const failure = error instanceof MapServiceError ? error.failure : null
    const isPaused = failure === 'breaker_open' || failure === 'cap_reached'
    if (!isPaused) log.warn({ err: error }, 'map service gave no answer')
  }

  return {
    region,
    covers,
    tileVersion: embedded.tileVersion,
    contents: embedded.contents,
    tileZooms: embedded.tileZooms,
    tile: (z, x, y) => embedded.tile(z, x, y),
    driveTimeTable: (froms, tos) => embedded.driveTimeTable(froms, tos),
    driveTimePairs: (froms, tos, pairs) => embedded.driveTimePairs(froms, tos, pairs),
    alternatives: (from, to) => embedded.alternatives(from, to),
    match: (points) => embedded.match(points),
    ...(places
      ? placeSearch(places, region, covers, embedded, answering(places.isProbeDue))
      : embeddedSearch(embedded, covers)),
    ...(routes
      ? routing(routes.adapter, covers, embedded, answering(routes.isProbeDue))
      : embeddedRouting(embedded, covers)),
  }
}

/** `instead`: the embedded map's answer if the service has none and `isKnown`. */
type Answer = <T>(ask: () => Promise<T>, isKnown: () => boolean, instead: () => Promise<T>) => Promise<T>
type Covers = Maps['covers']

const mostResults = 20

function placeSearch(
  { service, adapter }: NonNullable<OutsideDeps['places']>,
  region: Region,
  covers: Covers,
  embedded: Maps,
  answer: Answer,
): PlaceSearch {
  const isInArea = ({ lat, lng }: Suggestion) =>
    lat === undefined || lng === undefined || isInBox(region.bounds, { lat, lng })
  const named = <P extends Suggestion>(place: P): P => ({
    ...place,
    id: `${service}:${place.id}`,
    source: service,
  })
  return {
    search: async (query, options = {}) => {
      const { near, limit = 8, country, session } = options
      const countries = servedCountries(region).filter((one) => !country || one === country.toUpperCase())
      if (countries.length === 0) return []
      if (!/[\p{L}\p{N}]/u.test(query)) return []
      const most = Math.max(1, Math.min(mostResults, Math.floor(limit)))
      const bias = near && covers(near) ? near : undefined
      return answer(
        async () => {
          const found = await adapter.search(query.trim(), { near: bias, limit: most, session, countries })
          return found.slice(0, most).map(named)
        },
        () => overlap(embedded.region.bounds, region.bounds),
        async () => (await embedded.search(query, options)).filter(isInArea),
      )
    },
    place: async (id, { session } = {}) => {
      const [issuer = '', ...rest] = id.split(':')
      if (issuer !== service) return isService(issuer) ? null : embedded.place(id)
      const place = await adapter.place(rest.join(':'), session)
      return place && named(place)
    },
    address: async (point) => {
      if (!covers(point)) return null
      return answer(
        async () => {
          const place: Place | null = await adapter.address(point)
          return place && named(place)
        },
        () => embedded.covers(point),
        () => embedded.address(point),
      )
    },
  }
}

function routing(
  adapter: RouteAdapter,
  covers: Covers,
  embedded: Maps,
  answer: Answer,
): Pick<Maps, 'route' | 'driveTimes'> {
  return {
    route: async (points) => {
      if (points.length < 2 || !points.every(covers)) return null
      return answer(
        async () => joinRoutes(await Promise.all(parts(points, adapter.mostPoints).map(adapter.route))),
        () => points.every(embedded.covers),
        () => embedded.route(points),
      )
    },
    driveTimes: async (froms, to) => {
      const times: (DriveTime | null)[] = froms.map(() => null)
      if (!covers(to)) return times
      const inside = froms.flatMap((from, index) => (covers(from) ? [{ from, index }] : []))
      const starts = inside.map(({ from }) => from)
      if (starts.length === 0) return times
      const found = await answer<(DriveTime | null)[]>(
        async () =>
          (
            await Promise.all(
              chunks(starts, adapter.mostStarts).map((chunk) => adapter.driveTimes(chunk, to)),
            )
          ).flat(),
        () => [...starts, to].every(embedded.covers),
        () => embedded.driveTimes(starts, to),
      ).catch((error: unknown) => {
        if (error instanceof MapServiceError) return []
        throw error
      })
      for (const [at, { index }] of inside.entries()) times[index] = found[at] ?? null
      return times
    },
  }
}

/** The embedded map's search and routes, within a configured area. */
function embeddedSearch(embedded: Maps, covers: Covers): PlaceSearch {
  return {
    search: (query, options) => embedded.search(query, options),
    place: async (id) => (isService(id.split(':', 1)[0] ?? '') ? null : embedded.place(id)),
    address: async (point) => (covers(point) ? embedded.address(point) : null),
  }
}

function embeddedRouting(embedded: Maps, covers: Covers): Pick<Maps, 'route' | 'driveTimes'> {
  return {
    route: async (points) => (points.every(covers) ? embedded.route(points) : null),
    driveTimes: (froms, to) => embedded.driveTimes(froms, to),
  }
}

const isService = (name: string) => placeServices.some((service) => service === name)

/** Consecutive parts of at most `most` points; each starts where the last one ended. */
function parts(points: LatLng[], most: number): LatLng[][] {
  const found: LatLng[][] = []
  for (let at = 0; at < points.length - 1; at += most - 1) found.push(points.slice(at, at + most))
  return found
}

function chunks<T>(list: T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, at) =>
    list.slice(at * most, (at + 1) * most),
  )
}

/** Null if a part has no route. */
function joinRoutes(routes: (Route | null)[]): Route | null {
  const sum: Route = { distanceKm: 0, durationS: 0, polyline: [] }
  for (const route of routes) {
    if (route === null) return null
    sum.distanceKm += route.distanceKm
    sum.durationS += route.durationS
    for (const point of route.polyline) sum.polyline.push(point)
  }
  return sum
}
