import type { MapServicesView, MapServiceTest } from '@hansom/contract/integrations'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { MapServicesSection } from './map-services-section.tsx'

const vaduz: MapServicesView['regions'][number] = {
  id: 'vaduz',
  name: 'Vaduz',
  countryCode: 'LI',
  timezone: 'Europe/Vaduz',
  currency: 'CHF',
  languages: ['de'],
  extract: 'vaduz.osm.pbf',
  streets: 1_540,
  houseNumbers: 78,
  places: 84,
}
const embedded: MapServicesView = {
  regions: [vaduz],
  places: null,
  routes: null,
  day: '',
  calls: [],
  total: { calls: 0, microUsd: 0 },
  cap: { calls: null, microUsd: null },
}
const outside: MapServicesView = {
  regions: [],
  places: { service: 'google', breaker: 'closed' },
  routes: { service: 'osrm', breaker: 'open' },
  day: '2026-11-26',
  calls: [{ service: 'google', kind: 'search', calls: 1_200, failures: 3, microUsd: 3_396_000 }],
  total: { calls: 1_200, microUsd: 3_396_000 },
  cap: { calls: null, microUsd: 3_000_000 },
}
let view: MapServicesView
let tests: MapServiceTest[]

beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) => {
    const isTest = new URL(url, 'http://x').pathname.endsWith('/test')
    return new Response(JSON.stringify(isTest ? tests : view))
  })
  queryClient.clear()
  storeTestSettings()
  startEnglish()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MapServicesSection />
    </QueryClientProvider>,
  )

it('no outside service -> the own map answers everything, nothing to test or to count', async () => {
  view = embedded
  show()
  expect(await screen.findAllByText('settings.maps_embedded')).toHaveLength(3)
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByText('settings.maps_today')).toBeNull()
})

it.each([
  ['style', { style: 'https://maps.example/day.json', tiles: null }, 'maps.example'],
  ['tiles', { style: null, tiles: 'https://tiles.example:8443/{z}/{x}/{y}.mvt' }, 'tiles.example:8443'],
])('outside %s -> the row of the map names its host', async (_kind, urls, host) => {
  view = embedded
  storeTestSettings({ baseMap: { styleDark: null, attribution: null, ...urls } })
  show()
  const row = (await screen.findByText('settings.maps_tiles')).closest('li')
  expect(row?.textContent).toBe(`settings.maps_tiles${host}`)
})

it('outside services -> names, pause, calls, cost, and a reached cap', async () => {
  view = outside
  show()
  expect(await screen.findByText('settings.maps_breaker_open', { exact: false })).toBeTruthy()
  const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(cells.slice(0, 3)).toEqual(['1,200', '3', '3.4'])
  expect(screen.getByText('settings.maps_cap_reached')).toBeTruthy()
})

it('test -> each kind with its answer; a failure as an alert with its reason', async () => {
  view = outside
  tests = [
    { kind: 'route', ms: 12, failure: null, found: null, drive: { distanceKm: 1.2, durationS: 180 } },
    { kind: 'driveTimes', ms: 900, failure: 'timeout', found: null, drive: null },
  ]
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'settings.maps_test_routes' }))
  const results = await screen.findByRole('alert')
  expect(results.querySelectorAll('li')).toHaveLength(2)
  expect(results.textContent).toContain('settings.maps_result')
})

it('own map -> what it knows, and where it comes from', async () => {
  startEnglish({
    'settings.maps_region_facts': '{{country}}, {{zone}}, {{currency}}, {{languages}}',
    'settings.maps_region_counts': '{{streets}} streets, {{numbers}} house numbers and {{places}} places',
    'settings.maps_region_extract': 'From {{file}}',
  })
  view = embedded
  show()
  const row = (await screen.findByText(/78 house numbers/)).closest('li')
  expect(row?.textContent).toContain('Vaduz')
  expect(row?.textContent).toContain('Liechtenstein, ')
  expect(row?.textContent).toContain('1,540 streets, 78 house numbers and 84 places')
  expect(row?.textContent).toContain('vaduz.osm.pbf')
})
