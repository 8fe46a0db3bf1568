import { greatCircleKm } from '@hansom/domain/geo/point'
import { expect, it } from 'vitest'
import { embeddedDriverIndex } from './embedded.ts'
import { driverIndexSuite } from './port.suite.ts'
import type { IndexedDriver } from './port.ts'

driverIndexSuite('embedded', async () => embeddedDriverIndex())

it('nearest: more drivers than the initial capacity in a dense city -> same result as brute force', async () => {
  const index = embeddedDriverIndex()
  const drivers: IndexedDriver[] = []
  for (let number = 0; number < 5_000; number++) {
    const drift = (number * 0.61803398875) % 1
    drivers.push({
      id: `d${number}`,
      lat: -34.9 + drift / 10,
      lng: -56.2 + ((number * 0.7548776662) % 1) / 10,
      at: 0,
      heardAt: 0,
      bearing: null,
      eligible: number % 3 !== 0,
      car_type_id: number % 2 === 0 ? 'even' : 'odd',
    })
  }
  for (const one of drivers) index.upsert(one)
  for (const from of drivers.slice(0, 200)) {
    const found = await index.nearest(from, { count: 10, radiusKm: 5, carTypeId: 'odd' })
    const expected = drivers
      .filter((one) => one.eligible && one.car_type_id === 'odd')
      .map((one) => greatCircleKm(from, one))
      .sort((a, b) => a - b)
      .slice(0, 10)
    expect(found.map((one) => one.km)).toEqual(expected)
  }
})

it('sample: thousands not heard from -> looks at a bounded number of them', async () => {
  const index = embeddedDriverIndex()
  const driver = { lat: -34.9, lng: -56.2, at: 0, bearing: null, eligible: true, car_type_id: 'a' }
  index.upsert({ ...driver, id: 'fresh', heardAt: 9 })
  const around = { south: -34.91, north: -34.89, west: -56.21, east: -56.19 }
  for (let number = 0; number < 1_000; number++)
    index.upsert({ ...driver, id: `silent ${number}`, heardAt: 0 })
  const ids = async (limit: number) => (await index.sample(around, limit, 5)).map(({ id }) => id)
  expect(await ids(40)).toEqual(['fresh'])
  expect(await ids(1)).toEqual([])
})
