import type { Actor } from '@hansom/domain/access/relation'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ServerBus } from '../../../adapters/server-bus/port.ts'
import { TestNetwork } from '../../../adapters/server-bus/test-network.ts'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../platform/database/test-database.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../booking-city.fixture.ts'
import { askNextWave } from '../dispatch/wave.ts'
import { centre, pickup } from '../straight-city.fixture.ts'
import { ActiveTrips, DriverContacts } from './active-trips.ts'
import { SharedDrivers } from './shared-drivers.ts'

const network = new TestNetwork()
let database: TestDatabase
let bus: ServerBus
/** Two servers of one installation. */
let here: TestCity
let there: TestCity
let driver: Actor

beforeAll(async () => {
  database = await createTestDatabase()
  here = await createTestCity({ database, bus: network.join(), jobs: false })
  bus = network.join()
  there = await createTestCity({ database, bus, carType: here.carType, clock: here.clock, jobs: false })
})
afterAll(async () => {
  await Promise.all([here.close(), there.close()])
  await database.close()
})
beforeEach(async () => {
  driver = await here.addDriver()
  // The other server learns of a driver by the first report.
  await report(here, 0)
  await expect.poll(() => there.driverIndex.get(driver.id)).not.toBeNull()
})

/** Reports a position some meters north of the center. */
const report = (city: TestCity, meters: number) =>
  city.report(driver, { lat: centre.lat + meters / 111_195, lng: centre.lng, at: here.clock.now() + meters })

const knownAt = async (city: TestCity) => (await city.driverIndex.get(driver.id))?.lat
const isFound = async (city: TestCity) => {
  const found = await city.driverIndex.nearest(centre, { count: 1_000, radiusKm: 20 })
  return found.some(({ id }) => id === driver.id)
}
const points = async (booking: string) => {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from tracking where booking_id = $1 and status = 'STARTED'`,
    [booking],
  )
  return rows[0]?.n
}

async function bookFor(city: TestCity): Promise<string> {
  const { booking } = await city.bookings.create(await city.addRider(), city.request({ pickup }), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  return booking.id
}

test('position reported to one server -> every server finds the driver there', async () => {
  await report(here, 40)
  await expect.poll(() => knownAt(there)).toBe(await knownAt(here))
  await report(there, 80)
  await expect.poll(() => knownAt(here)).toBe(await knownAt(there))
})

test('driver accepts on one server -> no server offers them another trip; free again -> all do', async () => {
  expect([await isFound(here), await isFound(there)]).toEqual([true, true])
  const id = await bookFor(here)
  await here.outbox.idle()
  await expect.poll(() => isFound(there)).toBe(false)
  await there.bookings.commands.cancel(there.order({ id: driver.id, role: 'driver', approved: true }, id), {
    reason: 'other',
  })
  await there.outbox.idle()
  await expect.poll(() => isFound(here)).toBe(true)
})

test('trip started on one server, positions sent to the other -> stored for the fare', async () => {
  const id = await bookFor(here)
  await here.bookings.commands.arrive(here.order(driver, id))
  await here.bookings.commands.start(here.order(driver, id), {})
  await here.outbox.idle()
  const before = (await points(id)) ?? 0
  let meters = 1
  await expect
    .poll(async () => {
      await report(there, meters++)
      return points(id)
    })
    .toBeGreaterThan(before)
  await there.bookings.commands.reach(there.order(driver, id), {})
})

test('no bus -> a trip started elsewhere is read, its positions are stored; back -> all is known again', async () => {
  network.cut(bus)
  const id = await bookFor(here)
  await here.bookings.commands.arrive(here.order(driver, id))
  await here.bookings.commands.start(here.order(driver, id), {})
  await here.outbox.idle()
  const before = await points(id)
  await report(there, 60)
  expect(await points(id)).toBe((before ?? 0) + 1)
  expect(await isFound(there)).toBe(true)
  network.restore(bus)
  await expect.poll(() => isFound(there)).toBe(false)
  // A position that is newer than the row stays.
  await report(there, 100)
  network.tellLost(bus)
  await expect.poll(() => knownAt(there)).toBeCloseTo(centre.lat + 100 / 111_195, 6)
  await there.bookings.commands.reach(there.order(driver, id), {})
})

test('trip that began and ended elsewhere before the loss was noticed -> its positions are stored all the same', async () => {
  network.cut(bus, { isNoticed: false })
  const id = await bookFor(here)
  await here.bookings.commands.arrive(here.order(driver, id))
  await here.bookings.commands.start(here.order(driver, id), {})
  const before = (await points(id)) ?? 0
  await report(there, 70)
  await (here.clock as ManualClock).advance(1_000)
  await here.bookings.commands.reach(here.order(driver, id), {})
  await here.bookings.commands.close(here.order(driver, id), {})
  await here.outbox.idle()
  expect(await points(id)).toBe(before)
  network.restore(bus)
  await expect.poll(() => points(id)).toBe(before + 1)
})

test('database fails while a lost message is made up for -> tried again, and the process goes on', async () => {
  network.cut(bus)
  const id = await bookFor(here)
  await here.outbox.idle()
  const query = vi
    .spyOn(database.pool, 'query')
    .mockRejectedValueOnce(new Error('Connection terminated') as never)
  network.restore(bus)
  await expect.poll(() => query.mock.calls.length).toBeGreaterThan(1)
  await expect.poll(() => isFound(there), { timeout: 5_000 }).toBe(false)
  query.mockRestore()
  await there.bookings.commands.cancel(there.order(driver, id), { reason: 'other' })
})

test('driver known only to another server, which has not told of them -> asked all the same', async () => {
  network.cut(bus)
  const { pool } = database
  const drivers = new SharedDrivers({
    bus,
    pool,
    driverIndex: there.driverIndex,
    clock: there.clock,
    log: silentLog(),
    trips: new ActiveTrips(),
    contacts: new DriverContacts(there.clock),
  })
  const late = await here.addDriver()
  const { booking } = await there.bookings.create(await there.addRider(), there.request({ pickup }), null)
  there.driverIndex.remove(late.id)
  const deps = { ...there.waveDeps, drivers, startedAt: 0, startedElapsed: 0 }
  expect(await askNextWave(deps, booking.id, 0)).toEqual({ kind: 'asked' })
  const { rows } = await pool.query('select driver_id from booking_requests where booking_id = $1', [
    booking.id,
  ])
  expect(rows.map(({ driver_id }) => driver_id)).toContain(late.id)
  network.restore(bus)
})
