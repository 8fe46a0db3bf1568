import { googleKey, startGoogleMaps } from '@hansom/doubles/maps/google'
import { type MapDouble, startMapDouble } from '@hansom/doubles/maps/map-double'
import { mapboxToken, startMapbox } from '@hansom/doubles/maps/mapbox'
import { startNominatim } from '@hansom/doubles/maps/nominatim'
import { startOsrm } from '@hansom/doubles/maps/osrm'
import { startPhoton } from '@hansom/doubles/maps/photon'
import { island } from '@hansom/doubles/maps/street-grid'
import { startValhalla } from '@hansom/doubles/maps/valhalla'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxRegion } from './area.ts'
import type { PlaceServiceOptions, RouteServiceOptions } from './open-services.ts'
import { countingMeter, openTown, townArea, townMap } from './outside.fixture.ts'
import { withOutsideServices } from './outside.ts'
import { describeMaps, type KnownPlaces } from './port.suite.ts'
import type { Maps } from './port.ts'
import type { RouteAdapter } from './services/adapter.ts'
import { failureOfProblem } from './services/google-problem.ts'

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

it('route line of 200,000 points -> complete', async () => {
  const polyline = Array.from({ length: 200_000 }, () => from)
  const adapter: RouteAdapter = {
    mostPoints: 25,
    mostStarts: 25,
    route: async () => ({ distanceKm: 1, durationS: 1, polyline }),
    driveTimes: async () => [],
  }
  const maps = withOutsideServices({
    embedded: townMap(),
    area: townArea,
    places: null,
    routes: { service: 'osrm', adapter, isProbeDue: () => false },
    log: { warn: () => {} },
  })
  expect((await maps.route([from, to]))?.polyline).toHaveLength(200_000)
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

describe.each(Object.entries(pairs))('countries: %s', (_name, { places }) => {
  const neighbours = (countryCode: string, otherCountries: string[]) => {
    const town = townMap()
    return { ...town, region: { ...town.region, countryCode, otherCountries } }
  }

  it('regions side by side -> any of their countries is searched', async () => {
    const double = await places.start()
    const { maps } = openTown(
      { places: places.options(double.url) },
      { embedded: neighbours('AR', ['AR', 'UY']) },
    )
    for (const country of [undefined, 'UY', 'uy'])
      expect(await maps.search('Bulevar Ejido', { country }), country).not.toEqual([])
    const [found] = await maps.search('Bulevar Ejido')
    expect(await maps.place(found?.id ?? '')).not.toBeNull()
    expect(await maps.search('Bulevar Ejido', { country: 'AR' })).toEqual([])
    const sent = double.requests.length
    expect(await maps.search('Bulevar Ejido', { country: 'BR' })).toEqual([])
    expect(double.requests).toHaveLength(sent)
    await double.close()
  })
})

it('Google: key not valid -> denied for every kind; unusable input -> rejected', async () => {
  const double = await startGoogleMaps()
  const options = { service: 'google', key: 'AIza-revoked', url: double.url } as const
  const { services } = openTown({ places: options, routes: options, area: townArea })
  const tests = [...(await services.test('places')), ...(await services.test('routes'))]
  expect(new Set(tests.map(({ failure }) => failure))).toEqual(new Set(['denied']))
  const call = googleProblems.map(failureOfProblem)
  expect(call).toEqual(['denied', null, null, null])
  const { maps } = openTown(
    { places: google(double.url), area: townArea },
    { embedded: townMap({}, [0, 0, 1, 1]) },
  )
  await expect(maps.search('Bulevar', { session: 'not a session' })).rejects.toThrow('google: rejected')
  await double.close()
})

const problemOf = (reason?: string) => ({
  error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ '@type': 'x' }, { reason }] },
})
const googleProblems = [problemOf('API_KEY_INVALID'), problemOf('OTHER'), problemOf(), undefined]

it('Photon: objects from other data than OpenStreetMap -> left out, the others stay', async () => {
  const geometry = { type: 'Point', coordinates: [from.lng, from.lat] }
  const feature = (properties: object) => ({ type: 'Feature', geometry, properties })
  const double = await startMapDouble(() => ({
    body: {
      features: [
        feature({ name: 'Without id', osm_key: 'place' }),
        feature({ name: 'Other id', osm_type: 'X', osm_id: 'a1' }),
        feature({ name: 'Known', osm_type: 'N', osm_id: 7, osm_key: 'amenity' }),
      ],
    },
  }))
  const { maps } = openTown({ places: { service: 'photon', url: double.url }, area: townArea })
  const known = { id: `photon:N7@${from.lat},${from.lng}`, label: 'Known' }
  expect(await maps.search('anything')).toEqual([expect.objectContaining(known)])
  expect(await maps.address(from)).toMatchObject(known)
  await double.close()
})

it('service that bills each call, without a daily cap -> warning; with one, or own servers -> none', () => {
  const url = 'http://127.0.0.1:9'
  const warningsOf = (options: Parameters<typeof openTown>[0], most?: number) =>
    openTown(options, { meter: countingMeter(most) }).warnings
  const osrm = { service: 'osrm', url } as const
  expect(warningsOf({ places: google(url), routes: osrm })).toEqual([
    expect.stringContaining('MAP_DAILY_BUDGET'),
  ])
  expect(warningsOf({ routes: mapbox(url) })).toHaveLength(1)
  expect(warningsOf({ places: google(url) }, 100)).toEqual([])
  expect(warningsOf({ places: { service: 'photon', url }, routes: osrm })).toEqual([])
})

it('area -> named by the configuration, otherwise after the city of its time zone', () => {
  expect(boxRegion([-4.8, 41.6, -4.7, 41.7], '', 'Valladolid')).toMatchObject({
    name: 'Valladolid',
    countryCode: 'ES',
  })
  expect(boxRegion([-4.8, 41.6, -4.7, 41.7], '', null)?.name).toBe('Madrid')
})
