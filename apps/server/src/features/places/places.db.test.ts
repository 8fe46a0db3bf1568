import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'

let app: TestApp
let authorization: string
beforeAll(async () => {
  app = await createTestApp()
  await app.addUser({ email: 'rider@x.test', usertype: 'rider' })
  authorization = await app.bearer('rider@x.test')
})
afterAll(() => app.close())

const plaza = '-34.9058,-56.1913'
const pocitos = '-34.9107, -56.1503'
const sea = '-35.5,-56.2'

const call = (name: string, payload: object, headers: Record<string, string> = { authorization }) =>
  app.server.inject({ method: 'POST', url: `/googleapis-${name}`, payload, headers })

describe('map functions', () => {
  test.each([
    ['getaddress', { latlng: plaza }],
    ['getdrivetime', { start: plaza, dest: pocitos }],
    ['getmultiloctime', { start: plaza, dest: pocitos }],
    ['autocomplete', { searchKeyword: '18 de julio' }],
    ['getcoords', { place_id: 'x' }],
    ['getroute', { start: plaza, dest: pocitos }],
  ])('%s without a session -> 401', async (name, payload) => {
    for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: 'Basic eDp5' }]) {
      const answer = await call(name, payload, headers as Record<string, string>)
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'Unable to get user token'])
    }
  })

  test('getAddress: point -> address', async () => {
    expect((await call('getaddress', { latlng: plaza })).json()).toEqual({
      success: true,
      address: expect.stringContaining('Montevideo'),
    })
    const outside = await call('getaddress', { latlng: sea })
    expect([outside.statusCode, outside.json().error]).toEqual([422, 'outside_region'])
  })

  test('drive time: with and without waypoints', async () => {
    const direct = (await call('getdrivetime', { start: plaza, dest: pocitos })).json()
    expect(direct.distance_in_km).toBeGreaterThan(3)
    expect(direct.time_in_secs).toBeGreaterThan(120)
    const stops = ['-34.8941,-56.1662', '-34.9011,-56.1645']
    const around = (await call('getmultiloctime', { start: plaza, dest: pocitos, waypoints: stops })).json()
    expect(around.distance_in_km).toBeGreaterThan(direct.distance_in_km)
    const joined = await call('getmultiloctime', { start: plaza, dest: pocitos, waypoints: stops.join('|') })
    expect(joined.json()).toEqual(around)
  })

  test('waypoints: more than 25, in either notation -> refused', async () => {
    const stop = '-34.8941,-56.1662'
    const among = (count: number) => Array.from({ length: count }, () => stop).join('|')
    for (const waypoints of [among(26), '|'.repeat(1_000_000)]) {
      const answer = await call('getmultiloctime', { start: plaza, dest: pocitos, waypoints })
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_input'])
      expect(answer.json().fields[0].field).toMatch(/^waypoints/)
    }
    const most = await call('getmultiloctime', { start: plaza, dest: pocitos, waypoints: among(25) })
    expect(most.statusCode).toBe(200)
    const points = Array.from({ length: 28 }, () => ({ lat: -34.9058, lng: -56.1913 }))
    await expect(app.services.places.route(points)).rejects.toMatchObject({ key: 'invalid_input' })
  })

  test('getRoute: meters, seconds and the line', async () => {
    const { distance, duration, polylinePoints, coords } = (
      await call('getroute', { start: plaza, dest: pocitos })
    ).json()
    expect(Number.isInteger(distance) && distance > 3000).toBe(true)
    expect(Number.isInteger(duration)).toBe(true)
    expect(polylinePoints.length).toBeGreaterThan(10)
    expect(polylinePoints[0]).toEqual({ latitude: expect.any(Number), longitude: expect.any(Number) })
    expect(coords).toEqual(polylinePoints)
    const nowhere = await call('getroute', { start: plaza, dest: sea })
    expect([nowhere.statusCode, nowhere.json().error]).toEqual([422, 'No Route Found'])
  })

  test('autocomplete and getCoords: place -> its coordinates', async () => {
    const { searchResults } = (await call('autocomplete', { searchKeyword: 'bulevar artigas' })).json()
    expect(searchResults[0].description).toContain('Artigas')
    const found = (await call('getcoords', { place_id: searchResults[0].place_id })).json()
    expect(found.coords.lat).toBeCloseTo(-34.9, 0)
    const lost = await call('getcoords', { place_id: 'nothing like it' })
    expect([lost.statusCode, lost.json().error]).toEqual([422, 'place_to_coords_error'])
  })

  test.each(['', 'x', '1', '1,2,3', '91,0', '0,181', 'a,b'])('%j -> invalid_input', async (latlng) => {
    const answer = await call('getaddress', { latlng })
    expect([answer.statusCode, answer.json().fields[0].field]).toEqual([400, 'latlng'])
  })
})

test('search: country restricted by the settings -> places in it; not the country of the map -> says why', async () => {
  const search = async () => (await app.server.inject({ url: '/api/v1/places?q=18+de+julio' })).json()
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { restrictCountry: 'UY' }))
  expect((await search()).length).toBeGreaterThan(0)
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { restrictCountry: 'NZ' }))
  expect(await search()).toMatchObject({ error: 'country_not_mapped' })
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { restrictCountry: '' }))
  expect((await search()).length).toBeGreaterThan(0)
})

test('visitor -> gets address and route', async () => {
  const address = await app.server.inject({ url: '/api/v1/address?lat=-34.9058&lng=-56.1913' })
  expect(address.json()).toMatchObject({ kind: expect.any(String), label: expect.any(String) })
  const route = await app.server.inject({
    method: 'POST',
    url: '/api/v1/route',
    payload: {
      points: [
        { lat: -34.9058, lng: -56.1913 },
        { lat: -34.9107, lng: -56.1503 },
      ],
    },
  })
  expect(route.json()).toMatchObject({ distanceKm: expect.any(Number), polyline: expect.any(String) })
})

describe('tiles', () => {
  test('tiles.json -> URLs of immutable tiles', async () => {
    const description = (
      await app.server.inject({ url: '/api/v1/tiles.json', headers: { host: 'rides.test:81' } })
    ).json()
    expect(description.attribution).toContain('OpenStreetMap')
    const [x, y] = tileOf(description.center[1], description.center[0], 14)
    const url = description.tiles[0].replace('{z}', '14').replace('{x}', x).replace('{y}', y)
    expect(url).toMatch(/^http:\/\/rides\.test:81\/api\/v1\/tiles\//)
    const tile = await app.server.inject({ url: new URL(url).pathname })
    expect(tile.headers).toMatchObject({
      'content-type': 'application/vnd.mapbox-vector-tile',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const { layers } = new VectorTile(new PbfReader(gunzipSync(tile.rawPayload)))
    expect(Object.keys(layers)).toContain('road')
  })

  test('outside the map -> 204; malformed tile numbers -> not_found', async () => {
    const { tileVersion } = {
      tileVersion: (await app.server.inject({ url: '/api/v1/tiles.json' })).json().tiles[0].split('/').at(-4),
    }
    expect((await app.server.inject({ url: `/api/v1/tiles/${tileVersion}/14/1/1.mvt` })).statusCode).toBe(204)
    for (const path of ['a/1/1', '14/-1/1', '14/99999/1', '99/1/1', '14/1/1.5']) {
      const answer = await app.server.inject({ url: `/api/v1/tiles/${tileVersion}/${path}.mvt` })
      expect([answer.statusCode, answer.json().error], path).toEqual([404, 'not_found'])
    }
  })
})

function tileOf(lat: number, lng: number, z: number): [number, number] {
  const radians = (lat * Math.PI) / 180
  const y = (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2
  return [Math.floor(((lng + 180) / 360) * 2 ** z), Math.floor(y * 2 ** z)]
}
