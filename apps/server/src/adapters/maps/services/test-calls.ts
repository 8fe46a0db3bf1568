import { randomUUID } from 'node:crypto'
import type { MapCallKind } from '@hansom/domain/geo/map-services'
import type { LatLng } from '@hansom/domain/geo/point'
import { servedCountries } from '@hansom/domain/settings/region-settings'
import type { MapServiceTest, Region } from '../port.ts'
import type { PlaceAdapter, RouteAdapter } from './adapter.ts'
import { MapServiceError } from './call.ts'

/** About half a kilometer north, so that the route is a short one. */
const north = ({ lat, lng }: LatLng): LatLng => ({ lat: lat + 0.004_5, lng })

/** The address of the region's center, a search for it or for the region, and the first result by its id. */
export async function testPlaces(
  adapter: PlaceAdapter,
  region: Pick<Region, 'center' | 'name' | 'countryCode' | 'otherCountries'>,
  now: () => number,
): Promise<MapServiceTest[]> {
  const { center, name } = region
  const session = randomUUID()
  const countries = servedCountries(region)
  const address = await timed('address', now, () => adapter.address(center))
  const query = address.value?.label || name
  const tests = [shown(address, address.value?.label)]
  const search = await timed('search', now, () => adapter.search(query, { limit: 5, session, countries }))
  const [first] = search.value ?? []
  tests.push(shown(search, first?.label))
  if (first === undefined) return tests
  const place = await timed('place', now, () => adapter.place(first.id, session))
  return [...tests, shown(place, place.value?.label)]
}

/** A route of about half a kilometer, and the driving time of the same route. */
export async function testRoutes(
  adapter: RouteAdapter,
  center: LatLng,
  now: () => number,
): Promise<MapServiceTest[]> {
  const from = north(center)
  const route = await timed('route', now, () => adapter.route([from, center]))
  const times = await timed('driveTimes', now, () => adapter.driveTimes([from], center))
  const [time] = times.value ?? []
  return [
    { ...shown(route, undefined), drive: driveOf(route.value) },
    { ...shown(times, undefined), drive: driveOf(time) },
  ]
}

interface Timed<T> extends Pick<MapServiceTest, 'kind' | 'ms' | 'failure'> {
  value: T | null
}

async function timed<T>(kind: MapCallKind, now: () => number, ask: () => Promise<T>): Promise<Timed<T>> {
  const began = now()
  const ms = () => Math.round(now() - began)
  try {
    const value = await ask()
    return { kind, ms: ms(), failure: null, value }
  } catch (error) {
    if (!(error instanceof MapServiceError)) throw error
    return { kind, ms: ms(), failure: error.failure, value: null }
  }
}

const shown = ({ kind, ms, failure }: Timed<unknown>, found: string | undefined): MapServiceTest => ({
  kind,
  ms,
  failure,
  found: found ?? null,
  drive: null,
})

const driveOf = (drive: MapServiceTest['drive'] | undefined): MapServiceTest['drive'] =>
  drive ? { distanceKm: drive.distanceKm, durationS: drive.durationS } : null
