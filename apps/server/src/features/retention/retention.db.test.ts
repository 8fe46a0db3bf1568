import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { listPartitions } from '../../platform/database/partitions.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { storeTripLines } from '../bookings/tracking/trip-lines.ts'
import { createTripTracks } from '../bookings/tracking/trip-tracks.ts'
import { addTrips } from '../users/admin/erasure.fixture.ts'
import { createRetentionService, partitionedTables, type RetentionService } from './service.ts'

const dayMs = 86_400_000
let app: TestApp
let clock: ManualClock
let archived: Map<string, string>
let sent: object[]
beforeEach(async () => {
  app = await createTestApp({ maps: straightMaps() })
  clock = manualClock(Date.now())
  archived = new Map()
  sent = []
})
afterEach(() => app.close())

function retention(changes: object = {}): RetentionService {
  const send = async (_name: string, data: object) => {
    sent.push(data)
    return null
  }
  return createRetentionService({
    database: app.database,
    clock,
    jobs: { define: () => {}, send } as unknown as Jobs,
    log: silentLog(),
    forgetShown: async () => {},
    storage: {
      archive: async (name, bytes) => {
        archived.set(name, gunzipSync(bytes).toString())
      },
    },
    retention: {
      tracks: 30,
      bookingEvents: 1095,
      notifications: 365,
      paymentMessages: 550,
      audit: 1095,
      deliveries: 0,
      chats: 0,
      archive: false,
      ...changes,
    },
    clearDeliveries: async () => 0,
    clearChats: async () => 0,
    keepTripLines: (partition, after) => storeTripLines(app.database, partition, after, 2),
  })
}

/** Points of a drive to the north east, one per second up to `end`, with GPS noise. */
const drive = (end: number, count = 300) =>
  Array.from({ length: count }, (_, step) => ({
    lat: -34.9 + step * 1e-4,
    lng: -56.2 + step * 1e-4 + (step % 2) * 1e-5,
    at: end - (count - 1 - step) * 1000,
    status: 'STARTED' as const,
  }))

async function trips(count: number, ends: number): Promise<string[]> {
  const driver = await app.addUser({ email: `${randomUUID()}@x.test`, usertype: 'driver' })
  const rider = await app.addUser({ email: `${randomUUID()}@x.test`, usertype: 'rider' })
  const { pool } = app.database
  await addTrips(pool, { driver, rider, count })
  await pool.query('delete from tracking')
  await pool.query('delete from trip_lines')
  const { rows } = await pool.query<{ id: string }>(
    `update bookings set trip_end_time = $2, drop = '{"lat":-34.87,"lng":-56.17,"add":"B"}' where driver = $1 returning id`,
    [driver, ends],
  )
  return rows.map(({ id }) => id)
}

/** The end of the partition with all rows from before the upgrade. */
async function endOfFirst(table = 'tracking'): Promise<number> {
  const [first] = await listPartitions(app.database, { name: table, timeColumn: 'at' })
  return first?.to ?? 0
}

test('tracks: month ended 30 days ago -> one line per trip, points removed, readers still work', async () => {
  const edge = await endOfFirst()
  // The second half of each drive falls in the next month.
  const ends = edge + 150_000
  const ids = await trips(5, ends)
  const { pool } = app.database
  const tracks = createTripTracks(pool, straightMaps(), silentLog())
  for (const id of ids) await tracks.store(id, drive(ends))
  const [id] = ids as [string]
  const end = { lat: -34.87, lng: -56.17, at: ends }
  const before = await tracks.path(id, end)
  const latest = await tracks.latest(id)

  await clock.advance(edge + 30 * dayMs - 1 - clock.now())
  await retention().tidy()
  expect(sent).toEqual([])
  await clock.advance(1)
  await retention().tidy()
  expect(sent).toEqual([{ table: 'tracking', partition: 'tracking_before', after: null }])
  expect(await retention().expire('tracking', 'tracking_before')).toBe(true)
  expect(await retention().expire('tracking', 'tracking_before')).toBe(true)

  const points = await pool.query('select count(*)::int as n, min(at) as first from tracking')
  expect(points.rows).toEqual([{ n: 5 * 151, first: edge }])
  for (const each of ids) {
    const after = await tracks.path(each, end)
    expect(after.distanceKm).toBeCloseTo(before.distanceKm, 9)
    expect(after.polyline.length).toBeLessThan(before.polyline.length / 10)
    expect(await tracks.latest(each)).toEqual(latest)
  }
})

test('tracks: points of deleted trips fill a complete batch -> the others still get their lines', async () => {
  const edge = await endOfFirst()
  const [id] = await trips(1, edge - 1)
  const { pool } = app.database
  await createTripTracks(pool, straightMaps(), silentLog()).store(id as string, drive(edge - 1))
  await pool.query(
    `insert into tracking (booking_id, at, status, lat, lng)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'STARTED', 1, 2 from generate_series(1, 4) n`,
    [edge - 1],
  )
  await clock.advance(edge + 31 * dayMs - clock.now())
  await retention().expire('tracking', 'tracking_before')
  const { rows } = await pool.query('select booking_id from trip_lines')
  expect(rows).toEqual([{ booking_id: id }])
})

test('tracks: account erased while its lines are made -> no line left', async () => {
  const edge = await endOfFirst()
  const [id] = await trips(1, edge - 1)
  const { pool } = app.database
  await createTripTracks(pool, straightMaps(), silentLog()).store(id as string, drive(edge - 1))
  const erasing = await pool.connect()
  await erasing.query('begin')
  await erasing.query('select from bookings where id = $1 for update', [id])
  await erasing.query('delete from tracking where booking_id = $1', [id])
  await erasing.query('delete from trip_lines where booking_id = $1', [id])
  const kept = storeTripLines(app.database, 'tracking_before', null)
  await expect
    .poll(async () => (await pool.query('select from pg_locks where not granted')).rowCount)
    .toBeGreaterThan(0)
  await erasing.query('commit')
  erasing.release()
  await kept
  expect((await pool.query('select from trip_lines')).rowCount).toBe(0)
})

test('tracks: driver was only on the way -> an empty line, and the last position', async () => {
  const edge = await endOfFirst()
  const ids = await trips(1, edge - 1)
  const { pool } = app.database
  await pool.query('update bookings set trip_end_time = null')
  const tracks = createTripTracks(pool, straightMaps(), silentLog())
  const [id] = ids as [string]
  await tracks.store(id, [{ lat: -34.9, lng: -56.2, at: edge - 5, status: 'ACCEPTED' }])
  await clock.advance(edge + 31 * dayMs - clock.now())
  await retention().expire('tracking', 'tracking_before')
  expect(await tracks.path(id, null)).toEqual({ polyline: '', distanceKm: 0 })
  expect(await tracks.latest(id)).toEqual({ lat: -34.9, lng: -56.2, at: edge - 5, status: 'ACCEPTED' })
})

test('months: unlimited retention or not old enough -> stay', async () => {
  const edge = await endOfFirst()
  await clock.advance(edge + 29 * dayMs - clock.now())
  await retention().expire('tracking', 'tracking_before')
  await clock.advance(4000 * dayMs)
  await retention({ tracks: 0 }).expire('tracking', 'tracking_before')
  await retention().expire('ledger_entries', 'ledger_entries')
  expect(await endOfFirst()).toBe(edge)
})

test('archive: on -> every row is archived before it is removed', async () => {
  await trips(20, 5)
  const edge = await endOfFirst('audit_log')
  await clock.advance(edge + 1096 * dayMs - clock.now())
  await retention({ archive: true }).expire('audit_log', 'audit_log_before')
  const lines = [...archived.values()].flatMap((text) => text.trimEnd().split('\n'))
  expect([...archived.keys()]).toEqual(['archive/audit_log/audit_log_before/00001.jsonl.gz'])
  expect(lines).toHaveLength(20)
  expect(JSON.parse(lines[0] as string)).toMatchObject({ action: 'users.update', kind: 'user' })
  const { rows } = await app.database.pool.query('select count(*)::int as n from audit_log')
  expect(rows).toEqual([{ n: 0 }])
})

test('notifications: month removed -> a repeated event stores none', async () => {
  const { users } = app.services
  const uid = await app.addUser({ email: 'n@x.test', usertype: 'rider' })
  const one = { user_id: uid, at: 5, title: 't', msg: 'm', screen: 's', dedupe: 'once' }
  const store = () => app.database.withTransaction((tx) => users.notify(tx, [one, one]))
  const count = async () => (await users.notifications(uid, {})).items.length
  await store()
  expect(await count()).toBe(1)
  await clock.advance((await endOfFirst('user_notifications')) + 366 * dayMs - clock.now())
  await retention().expire('user_notifications', 'user_notifications_before')
  await store()
  expect(await count()).toBe(0)
})

test('keys: older than any repetition -> removed, others stay', async () => {
  const { pool } = app.database
  const now = clock.now()
  await pool.query(
    `insert into notification_keys select 'old' || n, $1::bigint from generate_series(1, 4500) n union all select 'new', $2::bigint`,
    [now - 91 * dayMs, now - 89 * dayMs],
  )
  await retention().tidy()
  const { rows } = await pool.query(`select dedupe from notification_keys where dedupe ~ '^(old|new)'`)
  expect(rows).toEqual([{ dedupe: 'new' }])
})

test('months: years of operation -> partitions are created ahead, and accept rows', async () => {
  await clock.advance(800 * dayMs)
  await retention().tidy()
  const today = new Date(clock.now())
  const threeMonthsAhead = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 4)
  for (const table of partitionedTables) {
    const last = (await listPartitions(app.database, table)).at(-1)
    expect(last?.to).toBe(threeMonthsAhead)
  }
})
