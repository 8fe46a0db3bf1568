import { expect, test } from 'vitest'
import { embeddedDriverIndex } from '../../../adapters/driver-index/embedded.ts'
import { nearbyCars } from './nearby-cars.ts'

const car = { lat: -34.9021, lng: -56.1811, at: 0, heardAt: 0, bearing: 5, eligible: true, car_type_id: 'a' }

function city() {
  const index = embeddedDriverIndex()
  index.upsert({ ...car, id: 'one' })
  const asked: unknown[] = []
  const driverIndex = {
    ...index,
    sample: (...given: Parameters<typeof index.sample>) => {
      asked.push(given)
      return index.sample(...given)
    },
  }
  const time = { now: 0 }
  return { index, asked, time, near: nearbyCars({ driverIndex, clock: { elapsed: () => time.now } }) }
}

test('nearby cars: a thousand visitors in one place -> one index query, refreshed later', async () => {
  const { index, asked, time, near } = city()
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, number) => near({ lat: car.lat + number * 1e-6, lng: car.lng })),
  )
  const { lat, lng, bearing, car_type_id } = car
  for (const answer of answers) expect(answer).toEqual([{ lat, lng, bearing, car_type_id }])
  expect(asked).toHaveLength(1)
  index.remove('one')
  time.now = 1_499
  expect(await near(car)).toHaveLength(1)
  time.now = 1_500
  expect(await near(car)).toEqual([])
  expect(asked).toHaveLength(2)
})

test('nearby cars: another place -> its own result', async () => {
  const { near, asked } = city()
  expect(await near({ lat: car.lat, lng: car.lng + 0.04 })).toHaveLength(1)
  expect(await near({ lat: car.lat, lng: car.lng + 0.2 })).toEqual([])
  expect(asked).toHaveLength(2)
})

test('nearby cars: index fails -> the next request queries it again', async () => {
  const { index } = city()
  let fails = true
  const driverIndex = {
    ...index,
    sample: async (...given: Parameters<typeof index.sample>) => {
      if (fails) throw new Error('away')
      return index.sample(...given)
    },
  }
  const near = nearbyCars({ driverIndex, clock: { elapsed: () => 0 } })
  await expect(near(car)).rejects.toThrow('away')
  fails = false
  expect(await near(car)).toHaveLength(1)
})
