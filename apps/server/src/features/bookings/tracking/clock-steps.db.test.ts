import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { createTestCity, type TestCity } from '../booking-city.fixture.ts'
import { askNextWave } from '../dispatch/wave.ts'
import { pickup } from '../straight-city.fixture.ts'

let city: TestCity
let clock: ManualClock
beforeEach(async () => {
  city = await createTestCity({ jobs: false })
  clock = city.clock as ManualClock
})
afterEach(() => city.close())

/** The outcome of the first wave for a new booking. */
async function askFor(): Promise<string> {
  const rider = await city.addRider()
  const { booking } = await city.bookings.create(rider, city.request(), null)
  const deps = { ...city.waveDeps, startedAt: 0, startedElapsed: -60_000 }
  const { kind } = await askNextWave(deps, booking.id, 0)
  return kind
}

const written = async (id: string) =>
  (await city.database.pool.query('select lat, located_at from users where id = $1', [id])).rows[0]

describe.each([-3_600_000, -60_000, 300_000])('server clock set by %d ms', (step) => {
  test('connected driver still on the old time -> counts as heard, is asked for a new booking', async () => {
    const driver = await city.addDriver(pickup)
    await city.report(driver, { ...pickup, at: clock.now() })
    await city.writes.flush()
    clock.step(step)
    await clock.advance(3_000)
    await city.report(driver, { ...pickup, at: clock.now() - step })
    expect(await city.tracking.nearby(pickup)).toHaveLength(1)
    expect((await city.tracking.state(driver.id)).blocked).toEqual([])
    expect(await askFor()).toBe('asked')
  })

  test('connected driver on the new time -> position updated in the index and the row', async () => {
    const driver = await city.addDriver(pickup)
    await city.report(driver, { ...pickup, at: clock.now() })
    await city.writes.flush()
    clock.step(step)
    await clock.advance(3_000)
    const next = { lat: pickup.lat + 0.0003, lng: pickup.lng }
    await city.report(driver, { ...next, at: clock.now() })
    await city.writes.flush()
    expect(await city.driverIndex.get(driver.id)).toMatchObject({ ...next, at: clock.now() })
    expect(await written(driver.id)).toEqual({ lat: next.lat, located_at: clock.now() })
  })

  test('driver silent for two minutes -> not found', async () => {
    await city.addDriver(pickup)
    await clock.advance(119_000)
    clock.step(step)
    expect(await city.tracking.nearby(pickup)).toHaveLength(1)
    await clock.advance(2_000)
    expect(await city.tracking.nearby(pickup)).toEqual([])
    await expect(askFor()).rejects.toMatchObject({ key: 'no_driver_found_alert_messege' })
  })
})
