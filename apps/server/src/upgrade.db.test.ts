import { afterAll, beforeAll, expect, test } from 'vitest'
import { straightMaps } from './features/bookings/straight-city.fixture.ts'
import { createTripTracks } from './features/bookings/tracking/trip-tracks.ts'
import { checkLedger, isConsistent } from './features/ledger-check/check-ledger.ts'
import { migrate } from './platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { installJobs } from './platform/jobs/jobs.ts'
import { silentLog } from './platform/log/log.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import {
  addOldRows,
  migrateBefore,
  migrateToFirstRelease,
  notices,
  people,
  trips,
  withdrawals,
} from './upgrade.fixture.ts'

const now = Date.now()
const unit = 10_000
let database: TestDatabase
let app: TestApp
let admin: string
let rider: string
/** The track stored by the first release. */
let points: unknown[]
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  await migrateToFirstRelease(database.pool)
  await addOldRows(database.pool, now)
  points = await rows('select at, status, lat, lng from tracking order by at')
  await migrate(database)
  await installJobs(database)
  app = await createTestApp({ database, maps: straightMaps() })
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  admin = await app.bearer('admin@x.test')
  rider = await app.bearer('rider@x.test')
})
afterAll(() => app.close())

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows
const get = async (url: string, authorization: string) =>
  (await app.server.inject({ url: `/api/v1${url}`, headers: { authorization } })).json()

test('upgrade: second start -> no pending migration', async () => {
  await migrate(database)
})

test('upgrade: old balances, fees and withdrawals -> the ledger matches all stored balances', async () => {
  const check = await checkLedger(database.pool)
  expect(check.differences).toEqual([])
  expect(isConsistent(check)).toBe(true)
})

test('upgrade: negative balance and unpaid trip -> both outstanding, not blocking', async () => {
  const outstanding = await get('/me/outstanding', rider)
  expect(outstanding).toMatchObject({ total: 16 * unit, below: 5 * unit, contested: 0, fees: [] })
  expect(outstanding.trips).toMatchObject([{ id: trips.unpaid, amount: 11 * unit, contested: false }])
  expect(await rows(`select value->'negativeBalance' as on from settings`)).toEqual([{ on: true }])
})

test('upgrade: withdrawals exceed the balance -> newest refused, older one still pending', async () => {
  expect(await rows('select id, processed, refused, taken_back from withdraws order by date')).toEqual([
    { id: withdrawals.older, processed: false, refused: false, taken_back: false },
    { id: withdrawals.newer, processed: false, refused: true, taken_back: false },
  ])
  const balances = await rows('select wallet_balance as held from users where id = any($1) order by id', [
    [people.driver, people.withdrawer],
  ])
  // The driver keeps the fee that was credited.
  expect(balances).toEqual([{ held: 5 * unit }, { held: 30 * unit }])
})

test('upgrade: phone numbers as typed -> E.164; duplicates listed for the admin', async () => {
  while (await app.services.accounts.oldPhones.nextBatch());
  const mobiles = await rows(
    'select id, mobile, mobile_verified_at is not null as proven from users where mobile is not null',
  )
  const of = (uid: string) => mobiles.find(({ id }: { id?: string }) => id === uid)
  expect(of(people.rider)).toMatchObject({ mobile: '+59899123401', proven: false })
  expect(of(people.driver)).toMatchObject({ mobile: '+59899123402', proven: false })
  expect(of(people.national)).toMatchObject({ mobile: '+59899123406' })
  expect(of(people.social)).toMatchObject({ mobile: '+59899123407', proven: true })
  const collisions = (await get('/phone-collisions', admin)) as {
    mobile: string
    people: { uid: string }[]
  }[]
  expect(collisions.map(({ mobile, people: who }) => [mobile, ...who.map(({ uid }) => uid)])).toEqual([
    ['+59899123404', people.twin, people.otherTwin],
  ])
})

test('upgrade: driven trip -> points, length and history kept', async () => {
  expect(await rows('select at, status, lat, lng from tracking order by at')).toEqual(points)
  const [trip] = await rows<{ ends: number }>('select trip_end_time as ends from bookings where id = $1', [
    trips.complete,
  ])
  const path = await createTripTracks(database.pool, straightMaps(), silentLog()).path(trips.complete, {
    lat: -34.87,
    lng: -56.17,
    at: trip?.ends ?? 0,
  })
  expect(path.distanceKm).toBeGreaterThan(4)
  expect(await get(`/bookings/${trips.complete}`, rider)).toMatchObject({
    status: 'COMPLETE',
    viewer: 'rider',
  })
  expect(await rows('select booking_id, command from booking_events')).toEqual([
    { booking_id: trips.complete, command: 'create' },
  ])
})

test('upgrade: driver waiting at a pickup -> arrival counts from when it was reported', async () => {
  const arrived = await rows('select arrival_received_at as at from bookings where id = $1', [trips.arrived])
  expect(arrived).toEqual([{ at: now - 60_000 }])
})

test('upgrade: old notifications -> kept, not repeated', async () => {
  const { items } = await app.services.users.notifications(people.rider, {})
  expect(items.map(({ id }) => id)).toEqual([notices.recent, notices.old])
  const repeated = { user_id: people.rider, at: now, title: 't', msg: 'm', screen: 'wallet' as const }
  await database.withTransaction((tx) => app.services.users.notify(tx, [{ ...repeated, dedupe: 'recent' }]))
  expect((await app.services.users.notifications(people.rider, {})).items).toHaveLength(2)
  expect(await rows('select provider, event_key from payment_message_keys')).toEqual([
    { provider: 'stripe', event_key: 'evt_1' },
  ])
  expect(await rows(`select by_name from audit_log where action = 'settings.update'`)).toEqual([
    { by_name: 'A B' },
  ])
})

test('upgrade: refused withdrawal -> owner and admin notified', async () => {
  await app.start()
  const [{ id: adminId } = { id: '' }] = await rows<{ id: string }>(
    `select id from users where usertype = 'admin'`,
  )
  const noticesOf = async (uid: string) => (await app.services.users.notifications(uid, {})).items
  await expect
    .poll(() => noticesOf(people.withdrawer), { timeout: 15_000 })
    .toMatchObject([{ title: 'notify.withdraw_refused.title', params: { reason: 'More than the balance' } }])
  expect(await noticesOf(adminId)).toMatchObject([
    { title: 'notify.upgrade_refused.title', params: { name: 'A B' }, screen: 'withdraws' },
  ])
})

test('upgrade: customized texts -> moved to the new keys', async () => {
  expect(await rows(`select key_value_pairs, copied from languages where lang_locale = 'es'`)).toEqual([
    {
      key_value_pairs: {
        'trip.reason_traffic': 'Corte',
        'trip.reason_rider_no_show': 'No vino',
        'users.no_users_text': 'Nadie',
        'users.fleet': 'Flota',
        'trip.admin_next_NEW': 'Buscando',
        'wallet.sums_user': 'Movimientos',
      },
      copied: ['mailbox.title', 'trip.reason_personal', 'trip.title'],
    },
  ])
})

test('upgrade: dispatch rules for kinds of days -> the same days', async () => {
  const older = await createTestDatabase({ empty: true })
  try {
    await migrateBefore(older.pool, 105)
    await older.pool.query(`insert into dispatch_rules (id, name, priority, days, from_hour, to_hour, area_radius, strategy,
        wave_size, wave_seconds, first_radius, batch_seconds, ageing, fairness, soon_free_minutes, created_at)
      select gen_random_uuid(), days, 1, days, 0, 0, 0, 'waves', 5, 15, 2, 5, 0, 0, 0, 0
        from unnest('{all,weekdays,weekend}'::text[]) days`)
    await migrate(older)
    const { rows: rules } = await older.pool.query('select name, days from dispatch_rules order by name')
    expect(rules).toEqual([
      { name: 'all', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
      { name: 'weekdays', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      { name: 'weekend', days: ['sat', 'sun'] },
    ])
  } finally {
    await older.close()
  }
})
