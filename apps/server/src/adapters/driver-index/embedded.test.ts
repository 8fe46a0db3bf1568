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
