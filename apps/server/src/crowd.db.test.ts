import { afterAll, beforeAll, expect, test } from 'vitest'
import { Crowd } from './crowd.fixture.ts'

// Short version of crowd.long.test.ts.
let crowd: Crowd
beforeAll(async () => {
  crowd = await Crowd.start()
}, 120_000)
afterAll(() => crowd.stop())

test('crowd: 30 drivers and 30 riders sign in and work behind one IP address -> none refused', {
  timeout: 180_000,
}, async () => {
  const { refused, connected } = await crowd.signInAndWork(30, 30, 3)
  expect(refused).toEqual([])
  expect(connected).toBe(60)
})

test('crowd: 200 visitors subscribe at the rate limit and never read -> memory grows by at most 50 MB', {
  timeout: 120_000,
}, async () => {
  const { grewMb, asked } = await crowd.neverRead(200, 12)
  expect(asked).toBeGreaterThan(1_000)
  expect(grewMb).toBeLessThanOrEqual(50)
})
