import { expect, test } from 'vitest'
import type { Maps } from '../../adapters/maps/port.ts'
import { centre, straightMaps } from '../bookings/straight-city.fixture.ts'
import { planRoutes } from './past-routes.ts'

const billed = () => Promise.reject(new Error('asked the service'))
/** A service area of about 4 km around the center, answered by a service. */
const service = (): Maps => ({
  ...straightMaps(),
  address: billed,
  route: billed,
  driveTimes: billed,
  covers: ({ lat, lng }) => Math.abs(lat - centre.lat) < 0.02 && Math.abs(lng - centre.lng) < 0.02,
})

test('planRoutes: outside service -> made with our own map, within the service area', async () => {
  const maps = service()
  const routes = await planRoutes(maps, straightMaps(), 20, 'taxi')
  expect(routes).toHaveLength(20)
  for (const { pickup, drop } of routes)
    expect([maps.covers(pickup), maps.covers(drop)]).toEqual([true, true])
})

test('planRoutes: our own map is of another city -> no routes, no call to the service', async () => {
  expect(await planRoutes(service(), { ...straightMaps(), covers: () => false }, 20, 'taxi')).toEqual([])
})
