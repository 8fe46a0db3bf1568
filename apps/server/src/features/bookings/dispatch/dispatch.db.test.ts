import type { ListChange } from '@hansom/contract/live'
import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../platform/database/test-database.ts'
import { withOrigin } from '../../../platform/log/origin.ts'
import { createTestCity, type TestCity, taxiTest } from '../booking-city.fixture.ts'
import { bookingStore } from '../store/booking-store.ts'
import { pickup } from '../straight-city.fixture.ts'
import { findCandidates } from './find-candidates.ts'
import { askNextWave, type WaveDeps } from './wave.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const away = (km: number) => ({ lat: pickup.lat + km / 111.2, lng: pickup.lng })

describe('waves', () => {
  let city: TestCity
  let deps: WaveDeps
  let clock: ManualClock
  beforeEach(async () => {
    city = await createTestCity({ jobs: false })
    clock = city.clock as ManualClock
    city.settings.dispatch = { ...defaultSettings.dispatch, waveSize: 2, firstRadius: 2 }
    deps = { ...city.waveDeps, startedAt: clock.now(), startedElapsed: clock.elapsed() }
  })
  afterEach(() => city.close())

  const asked = async (id: string) =>
    (
      await city.database.pool.query<{ driver_id: string; wave: number; expires_at: number }>(
        'select driver_id, wave, expires_at from booking_requests where booking_id = $1 order by wave, pickup_km',
        [id],
      )
    ).rows

  async function place(): Promise<{ rider: Actor; id: string }> {
    const rider = await city.addRider()
    const { booking } = await city.bookings.create(rider, city.request(), null)
    return { rider, id: booking.id }
  }

  test('nearest drivers first, then farther ones -> each asked once, then no_driver_found', async () => {
    const drivers = [0.5, 1, 1.5, 2.5, 3.5].map(async (km) => (await city.addDriver(away(km))).id)
    const [a, b, c, d, e] = await Promise.all(drivers)
    const { rider, id } = await place()
    const waves: string[][] = []
    for (let wave = 0; ; wave++) {
      const outcome = await askNextWave(deps, id, (await city.bookings.get(rider, id)).booking.wave)
      if (outcome.kind !== 'asked') {
        expect(outcome.kind).toBe('no_driver')
        break
      }
      const rows = await asked(id)
      const newest = Math.max(...rows.map((row) => row.wave))
      waves.push(rows.filter((row) => row.wave === newest).map((row) => row.driver_id))
      expect(rows.at(-1)?.expires_at).toBe(clock.now() + 30_000)
      await clock.advance(30_000)
      // The drivers have not moved.
      for (const one of [a, b, c, d, e]) {
        const known = await city.driverIndex.get(one as string)
        if (known) city.driverIndex.upsert({ ...known, at: clock.now() })
      }
    }
    expect(waves).toEqual([[a, b], [c, d], [e]])
    const { booking } = await city.bookings.get(rider, id)
    expect(booking).toMatchObject({ status: 'CANCELLED', cancelledBy: 'system', reason: 'no_driver_found' })
    expect(await asked(id)).toEqual([])
  })

  test('job runs twice -> drivers are asked once; requests still open -> early', async () => {
    await city.addDriver(away(0.5))
    const { id } = await place()
    const outcomes = await Promise.all([askNextWave(deps, id, 0), askNextWave(deps, id, 0)])
    expect(outcomes.map((outcome) => outcome.kind)).toContain('asked')
    expect(await asked(id)).toHaveLength(1)
    expect(await askNextWave(deps, id, 0)).toEqual({ kind: 'stale' })
    expect(await askNextWave(deps, id, 1)).toEqual({ kind: 'early', at: clock.now() + 30_000 })
  })

  test('the nearest sixty cannot take cash -> the next driver is found with two queries', async () => {
    city.changeSettings({ negativeBalance: false })
    for (let number = 0; number < 60; number++) await city.addDriver(away(0.1), { wallet_balance: -unit })
    const good = await city.addDriver(away(0.5))
    let questions = 0
    const pool = new Proxy(city.database.pool, {
      get: (real, name) => {
        if (name === 'query') questions++
        return Reflect.get(real, name, real)
      },
    })
    const found = await findCandidates(
      { store: bookingStore(pool), driverIndex: city.driverIndex, clock },
      { pickup, car_type_id: city.request().car_type_id, payment_mode: 'cash', count: 1 },
      city.settings,
    )
    expect(found.map(({ id }) => id)).toEqual([good.id])
    expect(questions).toBe(2)
  })

  test('busy, indebted, other car type or not seen lately -> not asked', async () => {
    const debtor = await city.addDriver(away(0.1), { wallet_balance: -unit })
    city.changeSettings({ negativeBalance: false })
    const busy = await city.addDriver(away(0.2), { queue: true })
    await city.addDriver(away(0.3), { located_at: clock.now() - 1_000_000 })
    const unseen = await city.addDriver(away(0.4))
    const known = await city.driverIndex.get(unseen.id)
    if (known) city.driverIndex.upsert({ ...known, heardAt: clock.elapsed() - 121_000 })
    const { bookings } = city
    await city.database.pool.query('update users set queue = true where id = any($1)', [[busy.id]])
    const rider = await city.addRider()
    const good = await city.addDriver(away(1))
    const { booking } = await bookings.create(rider, city.request(), null)
    await askNextWave(deps, booking.id, 0)
    const ids = (await asked(booking.id)).map((row) => row.driver_id)
    expect(ids).toContain(good.id)
    for (const other of [debtor, busy, unseen]) expect(ids).not.toContain(other.id)
    city.changeSettings({ negativeBalance: true })
  })

  test('the last driver asked declines -> the next wave is due immediately', async () => {
    const near = await city.addDriver(away(0.5))
    const { rider, id } = await place()
    await askNextWave(deps, id, 0)
    await city.bookings.commands.decline(city.order(near, id))
    await city.outbox.idle()
    const jobs = await city.database.pool.query(
      `select start_after <= now() as due from pgboss.job where name = 'booking.dispatch'
        and data->>'booking' = $1 and data->>'wave' = '1' order by start_after`,
      [id],
    )
    expect(jobs.rows[0]).toEqual({ due: true })
    expect(await askNextWave(deps, id, 1)).toEqual({ kind: 'no_driver' })
    expect((await city.bookings.get(rider, id)).booking.excluded_drivers).toEqual([near.id])
  })

  test('right after a server start -> waits for drivers to report before giving up', async () => {
    const near = await city.addDriver(away(0.5))
    const { id } = await place()
    const known = await city.driverIndex.get(near.id)
    city.driverIndex.remove(near.id)
    await clock.advance(60_000)
    const startedAt = clock.now()
    const restarted = { ...deps, startedAt, startedElapsed: clock.elapsed() }
    expect(await askNextWave(restarted, id, 0)).toEqual({ kind: 'early', at: startedAt + 2_000 })
    await clock.advance(2_000)
    if (known) city.driverIndex.upsert({ ...known, at: clock.now() })
    expect(await askNextWave(restarted, id, 0)).toEqual({ kind: 'asked' })
    expect((await asked(id)).map((row) => row.driver_id)).toEqual([near.id])
  })

  test('automatic dispatch switched on -> waiting bookings are dispatched', async () => {
    await city.addDriver(away(0.5))
    city.changeSettings({ autoDispatch: false })
    const [{ id }, { id: taken }] = [await place(), await place()]
    await city.database.pool.query(
      `update bookings set status = 'CANCELLED', cancelled_by = 'admin' where id = $1`,
      [taken],
    )
    await city.outbox.idle()
    const queued = async () =>
      (
        await city.database.pool.query(`select data from pgboss.job where name = 'booking.dispatch'`)
      ).rows.map((row) => row.data)
    city.changeSettings({ appName: 'Cab' })
    expect(await queued()).toEqual([])
    city.changeSettings({ autoDispatch: true })
    await expect.poll(queued).toEqual([{ booking: id, wave: 0 }])
  })

  test('start with 1,000 bookings without a job -> one job each in few statements, no duplicates', async () => {
    const queued = async () =>
      (
        await city.database.pool.query(
          `select data->>'booking' as id from pgboss.job where name like 'booking.%'`,
        )
      ).rows
        .map(({ id }) => id)
        .toSorted()
    await city.addDriver(away(0.5))
    const { id } = await place()
    await city.outbox.idle()
    expect(await queued()).toEqual([id])
    await city.start()
    expect(await queued()).toEqual([id])
    await city.database.pool.query('delete from pgboss.job')
    // More than one batch.
    await city.database.pool.query(
      `insert into bookings select (jsonb_populate_record(b, jsonb_build_object(
          'id', gen_random_uuid(), 'booking_id', 'R' || n, 'status', 'PAYMENT_PENDING'))).*
        from bookings b, generate_series(1, 1000) n where b.id = $1`,
      [id],
    )
    const open = await city.database.pool.query<{ id: string }>('select id from bookings order by 1')
    for (let start = 0; start < 2; start++) {
      const statements = vi.spyOn(city.database.pool, 'query')
      await city.start()
      expect(statements.mock.calls.length).toBeLessThan(30)
      statements.mockRestore()
      expect(await queued()).toEqual(open.rows.map((row) => row.id).toSorted())
    }
  })

  test('Book Later trip -> not dispatched before its lead time', async () => {
    const rider = await city.addRider()
    const tripdate = clock.now() + 3_600_000
    const { booking } = await city.bookings.create(rider, city.request({ bookLater: true, tripdate }), null)
    expect(await askNextWave(deps, booking.id, 0)).toEqual({ kind: 'early', at: tripdate - 15 * 60_000 })
    const soon = city.bookings.create(
      rider,
      city.request({ bookLater: true, tripdate: clock.now() + 14 * 60_000 }),
      null,
    )
    await expect(soon).rejects.toMatchObject({ key: 'past_booking_error' })
  })

  taxiTest('five trips for one time -> two are dispatched, the next when one of them ends', async () => {
    await city.addDriver(away(0.5))
    const rider = await city.addRider()
    const tripdate = clock.now() + 3_600_000
    const later = city.request({ bookLater: true, tripdate })
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await city.bookings.create(rider, later, null)).booking.id),
    )
    ids.sort()
    await clock.advance(3_600_000 - 15 * 60_000)
    await city.addDriver(away(0.5))
    const turns = async () => {
      const outcomes = await Promise.all(ids.map((id) => askNextWave(deps, id, 0)))
      return outcomes.map(({ kind }) => kind)
    }
    expect(await turns()).toEqual(['asked', 'asked', 'early', 'early', 'early'])
    const [first] = ids as [string]
    await city.bookings.commands.cancel(city.order(rider, first), { reason: 'x' })
    expect(await turns()).toEqual(['stale', 'stale', 'asked', 'early', 'early'])
    // A trip booked by an admin for the rider does not wait.
    const admin = { id: first, role: 'admin' as const, approved: true }
    const byAdmin = await city.bookings.create(
      admin,
      city.request({ bookLater: true, tripdate: clock.now() + 16 * 60_000, customer: rider.id }),
      null,
    )
    await clock.advance(2 * 60_000)
    await city.addDriver(away(0.6))
    expect((await askNextWave(deps, byAdmin.booking.id, 0)).kind).toBe('asked')
  })

  test('request expires -> its driver is notified once, however many waves follow', async () => {
    city.settings.dispatch.waveSize = 1
    const drivers = await Promise.all([0.4, 0.5, 0.6].map((km) => city.addDriver(away(km))))
    const { rider, id } = await place()
    for (const wave of [0, 1, 2]) {
      await askNextWave(deps, id, wave)
      await city.outbox.idle()
      await clock.advance(31_000)
    }
    await city.bookings.commands.cancel(city.order(rider, id), { reason: 'x' })
    await city.outbox.idle()
    const removed = (driver: Actor) =>
      city.published
        .filter(({ channel }) => channel === `requests|${driver.id}`)
        .flatMap(({ data }) => ('why' in (data as ListChange) ? [(data as { why: string }).why] : []))
    expect(drivers.map(removed)).toEqual([['expired'], ['expired'], ['expired']])
  })

  test('drivers asked -> get the request; the one who lost -> gets the reason', async () => {
    const [one, two] = [await city.addDriver(away(0.5)), await city.addDriver(away(0.6))]
    const { id } = await place()
    await askNextWave(deps, id, 0)
    await city.outbox.idle()
    await city.bookings.commands.accept(city.order(one, id))
    await city.outbox.idle()
    const changesFor = (driver: Actor) =>
      city.published
        .filter(({ channel }) => channel === `requests|${driver.id}`)
        .map(({ data }) => data as ListChange)
    // An event may be published twice; it carries its version.
    const kindsFor = (driver: Actor) => [
      ...new Set(changesFor(driver).map((one) => ('put' in one ? 'put' : one.why))),
    ]
    expect(kindsFor(one)).toEqual(['put', 'answered'])
    expect(kindsFor(two)).toEqual(['put', 'taken'])
    const put = changesFor(two)[0] as Extract<ListChange, { put: unknown }>
    expect(put.put).toMatchObject({
      viewer: 'requested',
      customer: null,
      customer_contact: null,
      otp: null,
      commands: ['decline', 'accept'],
      request: { pickupKm: expect.any(Number) },
    })
  })
})

test('dispatch: jobs running -> finds a driver, also after a restart with an empty queue', async () => {
  const first = await createTestCity({ clock: systemClock, database })
  const rider = await first.addRider()
  const driver = await first.addDriver(away(0.5))
  await first.outbox.stop()
  await first.jobs.stop()
  const { booking } = await first.bookings.create(rider, first.request({ car_type_id: first.carType }), null)
  await first.close()
  // Neither the outbox nor the job queue survived.
  await database.pool.query('delete from outbox')
  await database.pool.query('delete from pgboss.job')

  const second = await createTestCity({ clock: systemClock, database, carType: first.carType })
  await expect
    .poll(
      async () =>
        (
          await database.pool.query('select driver_id from booking_requests where booking_id = $1', [
            booking.id,
          ])
        ).rows,
      { timeout: 15_000 },
    )
    .toEqual([{ driver_id: driver.id }])
  await second.close()
})

test('dispatch: a request begins a batch -> the batch of all riders belongs to no request', async () => {
  const running = await createTestCity({ clock: systemClock })
  running.settings.dispatch = { ...running.settings.dispatch, strategy: 'batch' }
  await running.addDriver()
  const rider = await running.addRider()
  const requestId = 'rider-0123456789'
  await withOrigin({ requestId }, () =>
    running.bookings.create(rider, running.request({ car_type_id: running.carType }), null),
  )
  const queued = async (name: string) =>
    (await running.database.pool.query('select data from pgboss.job where name = $1', [name])).rows
  await expect.poll(() => queued('booking.batch'), { timeout: 15_000 }).not.toEqual([])
  for (const { data } of await queued('booking.batch')) expect(data).toEqual({})
  expect(await queued('booking.dispatch')).toMatchObject([{ data: { origin: { requestId } } }])
  await running.close()
})
