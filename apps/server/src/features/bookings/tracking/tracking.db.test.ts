import type { TrackingPoint } from '@hansom/contract/tracking'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GpsPoint, Maps } from '../../../adapters/maps/port.ts'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../booking-city.fixture.ts'
import { drop, pickup, straightMaps } from '../straight-city.fixture.ts'
import { createTripTracks } from './trip-tracks.ts'

let city: TestCity
let clock: ManualClock
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  clock = city.clock as ManualClock
})
afterAll(() => city.close())

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

const stored = async (id: string) =>
  (await city.database.pool.query('select status, at from tracking where booking_id = $1 order by at', [id]))
    .rows

test('positions: started trip -> stored before the report is acknowledged; before the start -> stored at intervals', async () => {
  const { rider, driver, id } = await accepted()
  for (let step = 0; step < 10; step++) {
    await clock.advance(2_000)
    await city.report(driver, { ...pickup, at: clock.now() })
  }
  expect((await stored(id)).map((row) => row.status)).toEqual(['ACCEPTED', 'ACCEPTED'])
  await city.bookings.commands.arrive(city.order(driver, id))
  await city.bookings.commands.start(city.order(driver, id), {})
  for (let step = 1; step <= 5; step++) {
    await clock.advance(10_000)
    // Stored once acknowledged; a replay is stored once.
    await city.report(driver, { ...along(step / 50), at: clock.now() })
    await city.report(driver, { ...along(step / 50), at: clock.now() })
    expect((await stored(id)).filter((row) => row.status === 'STARTED')).toHaveLength(step + 1)
  }
  const path = await city.tracking.path(rider, id)
  expect(path.distanceKm).toBeGreaterThan(0.4)
  await expect(city.tracking.path(await city.addRider(), id)).rejects.toMatchObject({ key: 'not_found' })
})

test('positions: reported accuracy -> stored in meters and known to the match; none reported -> unknown', async () => {
  const { driver, id } = await accepted()
  await city.bookings.commands.arrive(city.order(driver, id))
  await city.bookings.commands.start(city.order(driver, id), {})
  const started = clock.now()
  for (const accuracy of [12.6, undefined, 0]) {
    await clock.advance(10_000)
    await city.report(driver, {
      ...along(0.01),
      at: clock.now(),
      ...(accuracy !== undefined && { accuracy }),
    })
  }
  let matched: GpsPoint[] = []
  const maps: Maps = {
    ...straightMaps(),
    match: (points) => {
      matched = points
      return straightMaps().match(points)
    },
  }
  await createTripTracks(city.database.pool, maps, silentLog()).measurer()(id, clock.now(), null)
  const reported = matched.filter(({ at }) => at > started)
  expect(reported.map(({ accuracy }) => accuracy)).toEqual([13, null, 0])
})

test('watchers: each position -> published with the remaining time, which decreases', async () => {
  const { rider, driver, id } = await accepted()
  const { commands } = city.bookings
  await commands.arrive(city.order(driver, id))
  await commands.start(city.order(driver, id), {})
  city.published.length = 0
  for (let step = 1; step <= 20; step++) {
    await clock.advance(10_000)
    await city.report(driver, { ...along(step / 25), at: clock.now() })
  }
  const points = city.published
    .filter(({ channel }) => channel === `tracking:${id}|all`)
    .map(({ data }) => data as TrackingPoint)
  expect(points).toHaveLength(20)
  const left = points.map((point) => point.arrivalS ?? 0)
  expect([...left].sort((a, b) => b - a)).toEqual(left)
  expect(await city.tracking.latest(rider, id)).toMatchObject({ status: 'STARTED', arrivalS: left.at(-1) })
  await commands.reach(city.order(driver, id), {})
  await city.outbox.idle()
  expect(city.published.filter(({ channel }) => channel === `tracking:${id}|all`).at(-1)?.data).toBe(null)
})

test('setOnline: during a trip -> open_booking; otherwise -> searches follow', async () => {
  const { driver } = await accepted()
  await expect(city.tracking.setOnline(driver.id, false)).rejects.toMatchObject({ key: 'open_booking' })
  const other = await city.addDriver(pickup)
  const find = async () =>
    (await city.driverIndex.nearest(pickup, { count: 50, radiusKm: 5 })).map((one) => one.id)
  expect(await find()).toContain(other.id)
  const off = await city.tracking.setOnline(other.id, false)
  expect(off).toMatchObject({ driverActiveStatus: false, blocked: ['offline'] })
  expect(await find()).not.toContain(other.id)
  expect((await city.tracking.setOnline(other.id, true)).blocked).toEqual([])
  expect(await find()).toContain(other.id)
  await city.outbox.idle()
  expect(await find()).not.toContain(driver.id)
})

test('nearby: car stopped reporting -> not shown', async () => {
  const suburb = { lat: -34.7, lng: -56.2 }
  const driver = await city.addDriver(suburb)
  expect(await city.tracking.nearby(suburb)).toHaveLength(1)
  await clock.advance(121_000)
  expect(await city.tracking.nearby(suburb)).toEqual([])
  await city.report(driver, { ...suburb, at: clock.now() })
  // Visitors in a cell share a cached result for a moment.
  await clock.advance(1_500)
  expect(await city.tracking.nearby(suburb)).toHaveLength(1)
})

test('positions: buffered -> the newest of each driver is written to its row', async () => {
  const driver = await city.addDriver(pickup)
  await clock.advance(60_000)
  await city.report(driver, { ...along(0.01), at: clock.now() - 2_000 })
  await city.report(driver, { ...along(0.02), at: clock.now() })
  await city.writes.flush()
  const { rows } = await city.database.pool.query('select lat, located_at from users where id = $1', [
    driver.id,
  ])
  expect(rows).toEqual([{ lat: along(0.02).lat, located_at: clock.now() }])
})
