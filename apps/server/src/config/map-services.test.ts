import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../config.ts'

const load = (variables: Record<string, string>) => loadConfig(variables, '/srv').mapServices
function problemsOf(variables: Record<string, string>): string[] {
  try {
    load(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('no service -> the embedded map, no cap', () => {
  expect(load({})).toEqual({
    places: null,
    routes: null,
    area: null,
    areaName: null,
    cap: { calls: null, cost: null },
  })
})

test('services with keys, URLs, caps and an area -> used', () => {
  expect(
    load({
      PLACES_SERVICE: 'google',
      GOOGLE_MAPS_KEY: 'AIza-1',
      ROUTES_SERVICE: 'osrm',
      OSRM_URL: 'http://10.0.0.5:5000/',
      MAP_DAILY_BUDGET: '7.50',
      MAP_DAILY_CALLS: '20000',
      MAP_AREA: '7.40, 43.72, 7.45, 43.76',
      MAP_AREA_NAME: ' Monaco ',
    }),
  ).toEqual({
    places: { service: 'google', key: 'AIza-1', url: undefined },
    routes: { service: 'osrm', url: 'http://10.0.0.5:5000' },
    area: [7.4, 43.72, 7.45, 43.76],
    areaName: 'Monaco',
    cap: { calls: 20_000, cost: 7_500_000 },
  })
  expect(
    load({
      PLACES_SERVICE: 'mapbox',
      ROUTES_SERVICE: 'mapbox',
      MAPBOX_TOKEN: 'pk.1',
      MAPBOX_URL: 'http://127.0.0.1:9',
    }),
  ).toMatchObject({
    places: { service: 'mapbox', key: 'pk.1', url: 'http://127.0.0.1:9' },
    routes: { service: 'mapbox', key: 'pk.1' },
  })
})

test.each([
  ['PLACES_SERVICE', 'google', 'GOOGLE_MAPS_KEY'],
  ['PLACES_SERVICE', 'mapbox', 'MAPBOX_TOKEN'],
  ['PLACES_SERVICE', 'photon', 'PHOTON_URL'],
  ['PLACES_SERVICE', 'nominatim', 'NOMINATIM_URL'],
  ['ROUTES_SERVICE', 'google', 'GOOGLE_MAPS_KEY'],
  ['ROUTES_SERVICE', 'osrm', 'OSRM_URL'],
  ['ROUTES_SERVICE', 'valhalla', 'VALHALLA_URL'],
])('%s=%s without %s -> problem; the variable alone -> problem', (variable, service, needed) => {
  expect(problemsOf({ [variable]: service })).toEqual([`${variable} is ${service}, but ${needed} is not set`])
  expect(problemsOf({ [needed]: 'https://maps.example' })).toEqual([
    `${needed} is set, but neither PLACES_SERVICE nor ROUTES_SERVICE is ${service}`,
  ])
})

test('caps or area without a service -> problem', () => {
  for (const [name, value] of Object.entries({
    MAP_DAILY_BUDGET: '5',
    MAP_DAILY_CALLS: '9',
    MAP_AREA: '1,1,2,2',
  }))
    expect(problemsOf({ [name]: value })).toEqual([
      `${name} is set, but neither PLACES_SERVICE nor ROUTES_SERVICE is`,
    ])
})

test('name of an area without an area -> problem', () => {
  expect(
    problemsOf({ PLACES_SERVICE: 'photon', PHOTON_URL: 'http://10.0.0.5', MAP_AREA_NAME: 'Monaco' }),
  ).toEqual(['MAP_AREA_NAME is set, but MAP_AREA is not'])
})

test('invalid values and demonstration servers -> problems without secrets', () => {
  expect(problemsOf({ PLACES_SERVICE: 'bing' })[0]).toContain('google, mapbox, photon, nominatim')
  for (const MAP_AREA of ['1,2,3', '3,1,2,4', '1,4,2,3', '1,1,9,2', '-181,1,-180,2', 'a,1,2,3', ',1,2,3'])
    expect(problemsOf({ MAP_AREA })[0], MAP_AREA).toContain('west,south,east,north')
  for (const MAP_DAILY_BUDGET of ['-1', '1.234', 'ten'])
    expect(problemsOf({ MAP_DAILY_BUDGET })).toHaveLength(1)
  const problems = problemsOf({
    PHOTON_URL: 'http://user:hunter2@photon.example',
    GOOGLE_MAPS_URL: 'http://hunter2.example',
  })
  expect(problems).toHaveLength(2)
  expect(problems.join()).not.toContain('hunter2')
  expect(
    problemsOf({ PLACES_SERVICE: 'nominatim', NOMINATIM_URL: 'https://nominatim.openstreetmap.org' })[0],
  ).toContain('run your own')
})
