import { greatCircleKm } from '@hansom/domain/geo/point'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { createTestCity, type TestCity, taxiTest } from '../booking-city.fixture.ts'
import { drop, pickup } from '../straight-city.fixture.ts'

let city: TestCity
let clock: ManualClock
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  clock = city.clock as ManualClock
})
afterAll(() => city.close())

const steps = 60
const along = (share: number) => ({
  lat: pickup.lat + (drop.lat - pickup.lat) * share,
  lng: pickup.lng + (drop.lng - pickup.lng) * share,
})

async function accepted() {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  return { rider, driver, id: booking.id }
}

/** The phone's record of ten minutes without a connection: from the pickup to the drop. */
async function driveInTunnel() {
  const arrived = clock.now()
  await clock.advance(60_000)
  const started = clock.now()
  const positions = []
  for (let step = 1; step <= steps; step++) {
    await clock.advance(10_000)
    positions.push({ ...along(step / steps), at: clock.now() })
  }
  const reached = clock.now()
  await clock.advance(120_000)
  return { arrived, started, positions, reached }
}

const wayKm = greatCircleKm(pickup, drop)

test('replay: trip driven offline -> costs the distance driven', async () => {
  const { driver, id } = await accepted()
  const { commands } = city.bookings
  await clock.advance(60_000)
  const { arrived, started, positions, reached } = await driveInTunnel()
  await commands.arrive(city.order(driver, id), { at: arrived })
  await commands.start(city.order(driver, id), { at: started })
  await city.tracking.report(driver, positions)
  const { booking } = await commands.reach(city.order(driver, id), { at: reached })
  expect(booking).toMatchObject({
    driver_arrive_time: arrived,
    trip_start_time: started,
    trip_end_time: reached,
    total_trip_time: steps * 10,
    drop: along(1),
  })
  expect(wayKm).toBeGreaterThan(4.5)
  expect(booking.distance).toBeCloseTo(wayKm, 1)
  expect(booking.distance_filled).toBe(0)
  expect(booking.fare_parts.minimum_top_up).toBe(0)
})

taxiTest('replay: positions after the end of the trip -> not counted', async () => {
  const { rider, driver, id } = await accepted()
  const { commands } = city.bookings
  await commands.arrive(city.order(driver, id))
  await commands.start(city.order(driver, id), {})
  const { positions } = await driveInTunnel()
  const half = positions[steps / 2 - 1]
  // The positions arrived before the late step.
  await city.tracking.report(driver, positions)
  const { booking } = await commands.reach(city.order(driver, id), { at: half?.at })
  expect(booking.distance).toBeCloseTo(wayKm / 2, 1)
  expect(booking.drop).toMatchObject(along(0.5))
  expect((await city.tracking.path(rider, id)).distanceKm).toBeCloseTo(wayKm / 2, 1)
})

test('replay: late positions, some older than the newest -> stored while the trip runs', async () => {
  const { driver, id } = await accepted()
  const { commands } = city.bookings
  await commands.arrive(city.order(driver, id))
  await commands.start(city.order(driver, id), {})
  const { positions, reached } = await driveInTunnel()
  await city.tracking.report(driver, positions.slice(-1))
  await city.tracking.report(driver, positions.slice(0, -1))
  const { booking } = await commands.reach(city.order(driver, id), { at: reached })
  expect(booking.distance).toBeCloseTo(wayKm, 1)
  // Only the first stretch, seventy seconds after the start, has no point.
  expect(booking.distance_filled).toBeLessThan(0.1)
})
