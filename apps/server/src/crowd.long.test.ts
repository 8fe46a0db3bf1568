import { afterAll, beforeAll, expect, test } from 'vitest'
import { Crowd } from './crowd.fixture.ts'

let crowd: Crowd
beforeAll(async () => {
  crowd = await Crowd.start()
})
afterAll(() => crowd.stop())

test('a crowd: 500 drivers and 500 riders behind one address, signing in included -> none is refused', async () => {
  const { refused, answered, connected } = await crowd.signInAndWork(500, 500, 60)
  expect(refused).toEqual([])
  expect(connected).toBe(1_000)
  // More than one address has in a minute as long as it is a visitor's.
  expect(answered).toBeGreaterThan(6_000)
})

test('a crowd: 200 visitors ask as fast as they may and never read -> memory grows by at most 50 MB', async () => {
  const { grewMb, asked } = await crowd.neverRead(200, 120)
  expect(asked).toBeGreaterThan(200_000)
  expect(grewMb).toBeLessThanOrEqual(50)
})
