import { locationFreshMs } from '@hansom/domain/users/eligibility'
import { expect, test } from 'vitest'
import { embeddedDriverIndex } from '../../../adapters/driver-index/embedded.ts'
import { nearbyCars } from './nearby-cars.ts'

const car = { lat: -34.9021, lng: -56.1811, at: 0, heardAt: 0, bearing: 5, eligible: true, car_type_id: 'a' }

function city() {
  const index = embeddedDriverIndex()
  index.upsert({ ...car, id: 'one' })
  const time = { now: 0 }
  return { index, time, near: nearbyCars({ driverIndex: index, clock: { elapsed: () => time.now } }) }
}

test('nearby cars: any point of a map cell -> the same cars, without ids', async () => {
  const { index, near } = city()
  for (let number = 0; number < 200; number++)
    index.upsert({ ...car, id: `near ${number}`, lat: car.lat + 0.04 + number * 1e-4 })
  const [south, north] = [-34.9049, -34.9001]
  const cars = await near({ lat: south, lng: car.lng })
  expect(cars).toHaveLength(40)
  expect(await near({ lat: north, lng: car.lng + 0.001 })).toEqual(cars)
  for (const one of cars) expect(Object.keys(one).sort()).toEqual(['bearing', 'car_type_id', 'lat', 'lng'])
})

test('nearby cars: another place, busy, or not heard from -> not shown', async () => {
  const { index, near, time } = city()
  const shown = { lat: car.lat, lng: car.lng, bearing: 5, car_type_id: 'a' }
  expect(await near({ lat: car.lat, lng: car.lng + 0.04 })).toEqual([shown])
  expect(await near({ lat: car.lat, lng: car.lng + 0.2 })).toEqual([])
  time.now = locationFreshMs
  expect(await near(car)).toEqual([shown])
  time.now = locationFreshMs + 1
  expect(await near(car)).toEqual([])
  time.now = 0
  index.setEligible('one', false)
  expect(await near(car)).toEqual([])
})
