import { googleKey, startGoogleMaps } from '@hansom/doubles/maps/google'
import type { MapDouble } from '@hansom/doubles/maps/map-double'
import { mapboxToken, startMapbox } from '@hansom/doubles/maps/mapbox'
import { startNominatim } from '@hansom/doubles/maps/nominatim'
import { startOsrm } from '@hansom/doubles/maps/osrm'
import { startPhoton } from '@hansom/doubles/maps/photon'
import { island } from '@hansom/doubles/maps/street-grid'
import { startValhalla } from '@hansom/doubles/maps/valhalla'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlaceServiceOptions, RouteServiceOptions } from './open-services.ts'
import { countingMeter, openTown, townArea, townMap } from './outside.fixture.ts'
import { describeMaps, type KnownPlaces } from './port.suite.ts'
import type { Maps } from './port.ts'

const from = { lat: -34.9195, lng: -56.1995 }
const to = { lat: -34.903, lng: -56.179 }
const known: KnownPlaces = {
  street: { query: 'Bulevar Ejido', misspelt: 'bulevr ejdio', label: 'Bulevar Ejido' },
  houseNumber: { query: 'Bulevar Ejido 1040', label: 'Bulevar Ejido 1040' },
  from,
  to,
  outside: { lat: -35.2, lng: -56.2 },
}
const google = (url: string) => ({ service: 'google', key: googleKey, url }) as const
const mapbox = (url: string) => ({ service: 'mapbox', key: mapboxToken, url }) as const

interface Pair {
  places: { start: () => Promise<MapDouble>; options: (url: string) => PlaceServiceOptions }
  routes: { start: () => Promise<MapDouble>; options: (url: string) => RouteServiceOptions }
  differs: NonNullable<KnownPlaces['differs']>
}

const pairs: Record<string, Pair> = {
  Google: {
    places: { start: startGoogleMaps, options: google },
    routes: { start: startGoogleMaps, options: google },
    differs: { rounding: { km: 0.001, s: 1 } },
  },
  Mapbox: {
    places: { start: startMapbox, options: mapbox },
    routes: { start: startMapbox, options: mapbox },
    differs: { rounding: { km: 0.000_1, s: 0.1 } },
  },
  'Photon and OSRM': {
    places: { start: startPhoton, options: (url) => ({ service: 'photon', url }) },
    routes: { start: startOsrm, options: (url) => ({ service: 'osrm', url }) },
    differs: { rounding: { km: 0.000_1, s: 0.1 } },
  },
  'Nominatim and Valhalla': {
    places: { start: startNominatim, options: (url) => ({ service: 'nominatim', url }) },
    routes: { start: startValhalla, options: (url) => ({ service: 'valhalla', url }) },
    differs: { exactNames: true, rounding: { km: 0.001, s: 1 } },
  },
}

describe.each(Object.entries(pairs))('%s', (name, { places, routes, differs }) => {
  const doubles: MapDouble[] = []
  let maps: Maps
  const meter = countingMeter()
  const open = async () => {
    doubles.push(await places.start(), await routes.start())
    const [placeDouble, routeDouble] = doubles as [MapDouble, MapDouble]
    return openTown(
      { places: places.options(placeDouble.url), routes: routes.options(routeDouble.url), area: townArea },
      { meter },
    )
  }
  beforeAll(async () => {
    maps = (await open()).maps
  })
  afterAll(() => Promise.all(doubles.map((double) => double.close())))

  describeMaps(name, async () => maps, { ...known, differs: { ...differs, embeddedStreets: true } })

  it('answers -> name their source, and ids lead back to it', async () => {
    const { service } = places.options('http://127.0.0.1')
    const [street] = await maps.search('Bulevar Ejido')
    expect(street).toMatchObject({ source: service, id: expect.stringMatching(`^${service}:`) })
    expect(await maps.address(from)).toMatchObject({ source: service })
    for (const id of [
      `${service}:`,
      `${service}:nothing`,
      `${service}:../x`,
      `${service}:W999999`,
      'google:x',
      'osrm:x',
    ])
      expect(await maps.place(id), id).toBeNull()
  })

  it('no connection -> no route and no time', async () => {
    expect(maps.covers(island)).toBe(true)
    expect(await maps.route([from, island])).toBeNull()
    expect(await maps.driveTimes([from, island], to)).toEqual([expect.any(Object), null])
    expect(await maps.address(island)).toBeNull()
  })

  it('many points and many starts -> split, with the same sum', async () => {
    const points = Array.from({ length: 27 }, (_, at) => (at % 2 === 0 ? from : to))
    const [one, all] = [await maps.route([from, to]), await maps.route(points)]
    expect(all?.distanceKm).toBeCloseTo((one?.distanceKm ?? 0) * 26, 1)
    const times = await maps.driveTimes(
      Array.from({ length: 120 }, () => from),
      to,
    )
    expect(times).toHaveLength(120)
    expect(new Set(times.map((time) => time?.durationS)).size).toBe(1)
  })

  it('test -> one call of each kind, all answered and counted', async () => {
    const { services } = await open()
    const before = meter.taken.length
    const tests = [...(await services.test('places')), ...(await services.test('routes'))]
    expect(tests.map(({ kind, failure }) => [kind, failure])).toEqual(
      ['address', 'search', 'place', 'route', 'driveTimes'].map((kind) => [kind, null]),
    )
    expect(tests.slice(0, 3).every(({ found }) => found !== null)).toBe(true)
    expect(tests.slice(3).every(({ drive }) => (drive?.distanceKm ?? 0) > 0.1)).toBe(true)
    expect(meter.taken.length - before).toBe(5)
  })
})

it('street network -> that of the embedded map', async () => {
  const embedded = townMap({ driveTimeTable: async () => [[{ distanceKm: 1, durationS: 60 }]] })
  const { maps: composed } = openTown({ area: townArea }, { embedded })
  expect(await composed.driveTimeTable([from], [to])).toEqual([[{ distanceKm: 1, durationS: 60 }]])
})

it('Google: searches and the chosen place -> one session, ended by the place', async () => {
  const double = await startGoogleMaps()
  const { maps } = openTown({ places: google(double.url), area: townArea })
  const session = '7d0e5c0a-8e2b-4a1f-9b57-0b6f3f0d2c11'
  await maps.search('Bulevar', { session })
  const [found] = await maps.search('Bulevar Ejido', { session })
  await maps.place(found?.id ?? '', { session })
  expect(
    double.requests.map(
      ({ body, url }) =>
        (body as { sessionToken?: string } | null)?.sessionToken ?? url.searchParams.get('sessionToken'),
    ),
  ).toEqual([session, session, session])
  expect(double.endedSessions).toEqual([session])
  await double.close()
})

it('Mapbox: what a booking stores -> comes from the permanent mode, suggestions have no position', async () => {
  const double = await startMapbox()
  const { maps } = openTown({ places: mapbox(double.url), area: townArea })
  const [found] = await maps.search('Bulevar Ejido 1040')
  expect(found).not.toHaveProperty('lat')
  await maps.place(found?.id ?? '')
  await maps.address(from)
  expect(double.requests.map(({ url }) => url.searchParams.get('permanent'))).toEqual([null, 'true', 'true'])
  await double.close()
})
