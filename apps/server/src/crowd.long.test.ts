import { afterAll, beforeAll, expect, test } from 'vitest'
import { Crowd } from './crowd.fixture.ts'

let crowd: Crowd
beforeAll(async () => {
  crowd = await Crowd.start()
})
afterAll(() => crowd.stop())

test('crowd: 500 drivers and 500 riders sign in and work behind one IP address -> none refused', async () => {
  const { refused, answered, connected } = await crowd.signInAndWork(500, 500, 60)
  expect(refused).toEqual([])
  expect(connected).toBe(1_000)
  // More than the limit of one visitor's IP address per minute.
  expect(answered).toBeGreaterThan(6_000)
})

test('crowd: 200 visitors subscribe at the rate limit and never read -> memory grows by at most 50 MB', async () => {
  const { grewMb, asked } = await crowd.neverRead(200, 120)
  expect(asked).toBeGreaterThan(200_000)
  expect(grewMb).toBeLessThanOrEqual(50)
})
