import { afterAll, beforeAll, expect, test } from 'vitest'
import { Crowd } from './crowd.fixture.ts'

// The short form of crowd.long.test.ts.
let crowd: Crowd
beforeAll(async () => {
  crowd = await Crowd.start()
}, 120_000)
afterAll(() => crowd.stop())

test('a crowd: 70 drivers and 70 riders behind one address, signing in included -> none is refused', {
  timeout: 180_000,
}, async () => {
  const { refused, connected } = await crowd.signInAndWork(70, 70, 5)
  expect(refused).toEqual([])
  expect(connected).toBe(140)
})

test('a crowd: 200 visitors ask as fast as they may and never read -> memory grows by at most 50 MB', {
  timeout: 120_000,
}, async () => {
  const { grewMb, asked } = await crowd.neverRead(200, 12)
  expect(asked).toBeGreaterThan(1_000)
  expect(grewMb).toBeLessThanOrEqual(50)
})
