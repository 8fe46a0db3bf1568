import { googleKey, startGoogleMaps } from '@hansom/doubles/maps/google'
import type { MapDouble } from '@hansom/doubles/maps/map-double'
import { startOsrm } from '@hansom/doubles/maps/osrm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTown, ownAnswers, townArea, townMap } from '../../adapters/maps/outside.fixture.ts'
import { priceOf } from '../../adapters/maps/services/prices.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createTestDatabase } from '../../platform/database/test-database.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createMapMeter } from '../../platform/map-calls/meter.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'

const pickup = { lat: -34.9195, lng: -56.1995 }
const drop = { lat: -34.903, lng: -56.179 }
let app: TestApp
let google: MapDouble & { endedSessions: string[] }
let osrm: MapDouble
let admin: string

beforeAll(async () => {
  ;[google, osrm] = await Promise.all([startGoogleMaps(), startOsrm()])
  const database = await createTestDatabase()
  const meter = await createMapMeter({
    database,
    clock: systemClock,
    log: silentLog(),
    timezone: 'America/Montevideo',
    cap: { calls: null, cost: 1_000_000 },
    priceOf,
  })
  const { maps, services } = openTown(
    {
      places: { service: 'google', key: googleKey, url: google.url },
      routes: { service: 'osrm', url: osrm.url },
      area: townArea,
    },
    { embedded: townMap(ownAnswers), meter },
  )
  app = await createTestApp({ database, maps, mapServices: services })
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  await app.addUser({ email: 'rider@x.test', usertype: 'rider' })
  admin = await app.bearer('admin@x.test')
})
beforeEach(() => {
  osrm.broken = null
  google.broken = null
})
afterAll(async () => {
  await app.close()
  await Promise.all([google.close(), osrm.close()])
})

const get = async (url: string) => {
  const answer = await app.server.inject({ url, headers: { authorization: admin } })
  return [answer.statusCode, answer.json()] as const
}
const post = async (url: string, payload: object, authorization = admin) => {
  const answer = await app.server.inject({ method: 'POST', url, headers: { authorization }, payload })
  return [answer.statusCode, answer.json()] as const
}

test('search, then place -> position, source and one session', async () => {
  const session = '0123456789abcdef0123456789abcdef'
  const [status, [found]] = await get(`/api/v1/places?q=Bulevar+Ejido+1040&session=${session}`)
  expect([status, found]).toMatchObject([200, { label: 'Bulevar Ejido 1040', source: 'google' }])
  expect(found).not.toHaveProperty('lat')
  const [, place] = await get(`/api/v1/places/${encodeURIComponent(found.id)}?session=${session}`)
  expect(place).toMatchObject({ id: found.id, lat: expect.any(Number), source: 'google' })
  expect(google.endedSessions).toEqual([session])
  expect(await get('/api/v1/places/google%3AChIJ-grid-9999')).toMatchObject([404, { error: 'not_found' }])
  expect((await get('/api/v1/places?q=a&session=..%2F..%2F'))[0]).toBe(400)
})

test('getCoords: place_id of an outside service -> its coordinates', async () => {
  const rider = await app.bearer('rider@x.test')
  const [, { searchResults }] = await post(
    '/googleapis-autocomplete',
    { searchKeyword: 'Bulevar Ejido' },
    rider,
  )
  const { place_id } = searchResults[0]
  expect(await post('/googleapis-getcoords', { place_id }, rider)).toEqual([
    200,
    { coords: { lat: expect.any(Number), lng: expect.any(Number) } },
  ])
})

test('status -> who answers, calls and cost of today; no key', async () => {
  await app.services.places.route([pickup, drop])
  const [status, view] = await get('/api/v1/map-services')
  expect(status).toBe(200)
  expect(view).toMatchObject({
    places: { service: 'google', breaker: 'closed' },
    routes: { service: 'osrm', breaker: 'closed' },
    cap: { calls: null, microUsd: 1_000_000 },
  })
  expect(view.calls).toContainEqual({ service: 'osrm', kind: 'route', calls: 1, failures: 0, microUsd: 0 })
  expect(
    view.calls.find(({ kind }: { kind: string }) => kind === 'search').microUsd % priceOf('google', 'search'),
  ).toBe(0)
  expect(JSON.stringify(view)).not.toContain(googleKey)
})

test('test -> each kind with time and answer; a failure with its reason', async () => {
  const [status, tests] = await post('/api/v1/map-services/places/test', {})
  expect([status, tests.map(({ kind, failure }: Record<string, string>) => [kind, failure])]).toEqual([
    200,
    [
      ['address', null],
      ['search', null],
      ['place', null],
    ],
  ])
  osrm.broken = 'denied'
  const [, failed] = await post('/api/v1/map-services/routes/test', {})
  expect(failed).toMatchObject([
    { kind: 'route', failure: 'denied', ms: expect.any(Number), drive: null },
    { kind: 'driveTimes', failure: 'denied' },
  ])
  expect((await post('/api/v1/map-services/routes/test', {}, await app.bearer('rider@x.test')))[0]).toBe(404)
})

test('public settings -> name the services for the privacy policy, without keys', async () => {
  const [, settings] = await get('/api/v1/settings')
  expect(settings.mapServices).toEqual([
    {
      service: 'google',
      name: 'Google Maps Platform',
      attribution: 'Google Maps',
      mayRemember: false,
      mayReuse: false,
    },
    {
      service: 'osrm',
      name: 'OSRM',
      attribution: '© OpenStreetMap contributors',
      mayRemember: true,
      mayReuse: true,
    },
  ])
})

test('service fails where no map replaces it -> google_places_error; a search too', async () => {
  const lonely = openTown(
    {
      places: { service: 'google', key: googleKey, url: google.url },
      routes: { service: 'osrm', url: osrm.url },
      area: townArea,
    },
    { embedded: townMap({}, [10, 50, 11, 51]) },
  )
  const database = await createTestDatabase()
  const other = await createTestApp({
    database,
    maps: lonely.maps,
    mapServices: lonely.services,
    limits: { billedMaps: 4 },
  })
  google.broken = 'denied'
  osrm.broken = 'denied'
  const ask = async (url: string, payload?: object) =>
    (
      await other.server.inject({ method: payload ? 'POST' : 'GET', url, ...(payload ? { payload } : {}) })
    ).json().error
  expect(await ask('/api/v1/places?q=Ejido')).toBe('google_places_error')
  expect(await ask(`/api/v1/address?lat=${pickup.lat}&lng=${pickup.lng}`)).toBe('google_places_error')
  expect(await ask('/api/v1/route', { points: [pickup, drop] })).toBe('google_places_error')
  expect(await ask('/api/v1/offers', { pickup, drop })).toBe('google_places_error')
  // Google bills, so that all four have counted for the visitor's limit.
  expect(await ask('/api/v1/places?q=Ejido')).toBe('too_many_requests')
  await other.close()
})

test('service never answers -> offers come from the own map after one wait, then without any', async () => {
  await app.database.pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
       convenience_fee_type, created_at)
     values (gen_random_uuid(), 'Economy', 0, 10000, 0, 0, 0, 'flat', 0)`,
  )
  osrm.broken = 'never'
  osrm.requests.length = 0
  for (let attempt = 0; attempt < 6; attempt++) {
    const [status, { route }] = await post('/api/v1/offers', { pickup, drop })
    expect([status, route.distanceKm]).toEqual([200, 1])
  }
  // The breaker opens after four.
  expect(osrm.requests).toHaveLength(4)
})
