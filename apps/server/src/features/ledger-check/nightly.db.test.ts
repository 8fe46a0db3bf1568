import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

const hourMs = 3_600_000
let app: TestApp
let clock: ManualClock

beforeAll(async () => {
  // 2 am in Montevideo, which is three hours behind UTC.
  clock = manualClock(Date.UTC(2026, 0, 5, 5))
  app = await createTestApp({ maps: straightMaps(), clock })
})
afterAll(() => app.close())

test('nightly check: from 3 am in the city -> once per night', async () => {
  const { ledgerCheck } = app.services
  expect(await ledgerCheck.nightly()).toBeNull()
  await clock.advance(hourMs)
  expect(await ledgerCheck.nightly()).toMatchObject({ right: true, at: clock.now() })
  await clock.advance(10 * hourMs)
  expect(await ledgerCheck.nightly()).toBeNull()
  // The server was off the next night; the check runs late.
  await clock.advance(25 * hourMs)
  expect(await ledgerCheck.nightly()).toMatchObject({ right: true, at: clock.now() })
  expect(await ledgerCheck.last()).toMatchObject({ at: clock.now() })
})

test('nightly check: started concurrently -> runs once', async () => {
  const { ledgerCheck } = app.services
  const asked = await Promise.allSettled([1, 2, 3].map(() => ledgerCheck.now()))
  expect(asked.some(({ status }) => status === 'fulfilled')).toBe(true)
  for (const one of asked)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ key: 'conflict' })
})
