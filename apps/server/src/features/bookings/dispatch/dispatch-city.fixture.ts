import type { Actor } from '@hansom/domain/access/relation'
import type { RuleFields } from '@hansom/domain/dispatch/rules'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { weekdays } from '@hansom/domain/time/weekdays'
import { afterEach, beforeEach } from 'vitest'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { createTestCity, type TestCity } from '../booking-city.fixture.ts'
import { pickup } from '../straight-city.fixture.ts'
import type { WaveDeps } from './wave.ts'

export const away = (km: number) => ({ lat: pickup.lat + km / 111.2, lng: pickup.lng })

export let city: TestCity
export let deps: WaveDeps
export let clock: ManualClock

/** A city for each test of a file, whose jobs run only when the test runs them. */
export function inDispatchCity(): void {
  beforeEach(async () => {
    city = await createTestCity({ jobs: false })
    clock = city.clock as ManualClock
    deps = { ...city.waveDeps, startedAt: clock.now(), startedElapsed: clock.elapsed() }
  })
  afterEach(() => city.close())
}

export const choose = (changes: Partial<typeof defaultSettings.dispatch>) => {
  city.settings.dispatch = { ...defaultSettings.dispatch, ...changes }
}
export const rule = (changes: Partial<RuleFields>): RuleFields => ({
  ...defaultSettings.dispatch,
  name: 'Rush',
  priority: 1,
  days: [...weekdays],
  from_hour: 0,
  to_hour: 24,
  area: null,
  area_radius: 1,
  ...changes,
})

export async function place(at = pickup): Promise<{ rider: Actor; id: string }> {
  const rider = await city.addRider()
  const { booking } = await city.bookings.create(rider, city.request({ pickup: at }), null)
  return { rider, id: booking.id }
}
export const asked = async (id: string) => {
  const { rows } = await city.database.pool.query<{ driver_id: string }>(
    'select driver_id from booking_requests where booking_id = $1 order by pickup_km',
    [id],
  )
  return rows.map((row) => row.driver_id)
}
/** Asks drivers for a booking. */
export const requestAll = (id: string, drivers: readonly Actor[]) =>
  city.database.pool.query(
    `insert into booking_requests (booking_id, driver_id, wave, requested_at, expires_at, pickup_km, pickup_s)
      select $1, id, 1, $3::bigint, $3::bigint + 60000, 1, 60 from unnest($2::uuid[]) as id`,
    [id, drivers.map((driver) => driver.id), clock.now()],
  )
/** For each decision, the latest first: its kind, and the reason of each driver. */
export const reasons = async (id: string) =>
  (await city.dispatch.decisions(id)).map(({ kind, drivers }) => [
    kind,
    Object.fromEntries(drivers.map((driver) => [driver.id, driver.reason])),
  ])
