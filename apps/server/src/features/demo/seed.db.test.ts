import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testMaps } from '../../adapters/maps/test-maps.fixture.ts'
import { testPayments } from '../../adapters/payments/test/test-payments.ts'
import { storedPath } from '../../adapters/storage/port.ts'
import { loadConfig } from '../../config.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createTestPayments } from '../../platform/test-payments/test-payments.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { checkLedger, formatCheck } from '../ledger-check/check-ledger.ts'
import { usersTable } from '../users/table.ts'

// Creates a complete demo, which is slow while other tests run.
vi.setConfig({ testTimeout: 90_000 })

let app: TestApp
const dataDir = mkdtempSync(join(tmpdir(), 'hansom-demo-test-'))

// Friday, 4 pm in the city.
const now = Date.parse('2026-11-20T19:00:00Z')
const midnight = Date.parse('2026-11-20T03:00:00Z')
const createDemoApp = () =>
  createTestApp({
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), dataDir },
    clock: { ...systemClock, now: () => now },
    payments: (database) => [
      testPayments({ secret: 'one that only tests use', store: createTestPayments(database, systemClock) }),
    ],
  })

beforeAll(async () => {
  app = await createDemoApp()
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true })
})

const signIn = (email: string, password: string) =>
  app.server.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload: { email, password } })
const one = async (text: string, values: unknown[] = []): Promise<unknown> =>
  Object.values((await app.database.pool.query<Record<string, unknown>>(text, values)).rows[0] ?? {})[0]
const people = () => app.database.db.select().from(usersTable)

test('seed: empty database -> becomes a demo, and a second seed changes nothing', async () => {
  const { demo } = app.services
  expect(await demo.seed({ drivers: 0, riders: 0 })).toBe('made')
  const first = await people()
  expect(first.filter(({ usertype }) => usertype === 'driver')).toHaveLength(41)
  expect(first.filter(({ usertype }) => usertype === 'rider')).toHaveLength(153)
  expect(first.every(({ demo: isDemo, approved }) => isDemo && approved)).toBe(true)
  expect(new Set(first.map(({ vehicleNumber }) => vehicleNumber).filter(Boolean)).size).toBe(41)
  expect(await demo.seed({ drivers: 0, riders: 0 })).toBe('kept')
  expect(await people()).toEqual(first)
})

test('seed: map of another place -> elsewhere, and nothing changes', async () => {
  const maps = { ...(await testMaps()), covers: () => false }
  const elsewhere = await createTestApp({ maps, database: { ...app.database, close: async () => {} } })
  try {
    const before = await people()
    expect(await elsewhere.services.demo.seed({ drivers: 60, riders: 0 })).toBe('elsewhere')
    expect(await people()).toEqual(before)
  } finally {
    await elsewhere.close()
  }
})

test('seed: any demo account -> can sign in', async () => {
  const { accounts, password } = app.services.demo
  expect(accounts).toHaveLength(4)
  for (const email of accounts) expect((await signIn(email, password)).statusCode, email).toBe(200)
  const simulated = await app.services.demo.simulatorPassword()
  expect(simulated).not.toBe(password)
  expect((await signIn('sim-driver-40@demo.test', simulated)).statusCode).toBe(200)
  expect((await signIn('sim-rider-12@demo.test', simulated)).statusCode).toBe(200)
  expect((await signIn('sim-rider-12@demo.test', password)).statusCode).toBe(401)
})

test('seed: city -> car types, reasons, promos and settings', async () => {
  const types = (await app.server.inject({ url: '/api/v1/car-types' })).json()
  expect(types.map(({ name }: { name: string }) => name)).toEqual([
    'Economy',
    'Comfort',
    'Electric',
    'Van',
    'Moto',
  ])
  const reasons = (await app.server.inject({ url: '/api/v1/cancel-reasons' })).json<
    { label: string; translations: Record<string, { label: string }> }[]
  >()
  const locales = shippedLanguages.flatMap(({ langLocale }) => (langLocale === 'en' ? [] : [langLocale]))
  for (const { label, translations } of reasons) {
    expect(Object.keys(translations).sort(), label).toEqual(locales.toSorted())
    expect(Object.values(translations).every((texts) => texts.label !== '' && texts.label !== label)).toBe(
      true,
    )
  }
  expect(reasons.map(({ label }) => label)).toEqual([
    'The wait is too long',
    'My plans changed',
    'Wrong pickup location',
    'The driver asked me to cancel',
    'I found another ride',
    'I booked by mistake',
  ])
  expect(await app.services.promos.findByCode('rambla50')).not.toBeNull()
  expect((await app.server.inject({ url: '/api/v1/settings' })).json()).toMatchObject({
    demo: true,
    otp_secure: false,
    AllowCriticalEditsAdmin: true,
    timezone: 'America/Montevideo',
  })
})

test('seed, past: 90 days -> trips that obey the rules, up to today, the same each time', async () => {
  const { pool } = app.database
  const { rows } = await pool.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from bookings group by status',
  )
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  expect(
    Object.keys(counts)
      .filter((status) => status !== 'PAID')
      .sort(),
  ).toEqual(['CANCELLED', 'COMPLETE', 'NEW'])
  expect(counts.COMPLETE).toBeGreaterThan(2_000)
  expect(counts.CANCELLED).toBeGreaterThan(200)
  expect(
    await one(
      `select count(*)::int from bookings where status = 'NEW' and (not book_later or tripdate < $1)`,
      [now],
    ),
  ).toBe(0)
  expect(
    await one('select count(distinct report_day(tripdate, $1))::int from bookings', ['America/Montevideo']),
  ).toBeGreaterThan(85)
  expect(
    await one(`select count(*)::int from bookings where status = 'COMPLETE' and tripdate > $1`, [midnight]),
  ).toBeGreaterThan(10)
  expect(await one('select count(*)::int from users where queue or driver_active_status')).toBe(0)
  expect(await one('select count(distinct payment_mode)::int from bookings')).toBe(4)
  expect(await one('select count(*)::int from withdraws where not processed')).toBeGreaterThan(0)
  expect(await one('select count(*)::int from refunds')).toBeGreaterThan(5)
  expect(await one('select count(*)::int from bookings where discount_amount > 0')).toBeGreaterThan(50)
})

test('seed, past: trips -> no notification or event', async () => {
  for (const table of ['outbox', 'user_notifications', 'outbox_messages', 'pgboss.job']) {
    expect([table, await one(`select count(*)::int from ${table}`)]).toEqual([table, 0])
  }
})

test('seed, past: conversations -> in order, by the two people, while the driver was on the trip', async () => {
  const { rows } = await app.database.pool.query<Record<string, number>>(`
    select count(distinct m.booking_id)::int as chats, count(*)::int as messages,
        count(*) filter (where m.kind = 'text')::int as texts,
        count(*) filter (where not m.at between e.accepted and e.ended - 1)::int as untimely,
        count(*) filter (where m.from_user <> case m.source when 'rider' then b.customer else b.driver end)::int as strangers,
        count(*) filter (where m.at < l.at)::int as disordered, max(m.seq)::int as longest
      from chat_messages m join bookings b on b.id = m.booking_id and b.driver = m.driver_id
        left join chat_messages l on l.booking_id = m.booking_id and l.driver_id = m.driver_id and l.seq = m.seq - 1
        cross join lateral (select min(at) filter (where to_status = 'ACCEPTED') as accepted,
            min(at) filter (where to_status in ('PENDING', 'PAID', 'COMPLETE', 'CANCELLED')) as ended
          from booking_events where booking_id = b.id) e`)
  expect(rows[0]).toMatchObject({ untimely: 0, strangers: 0, disordered: 0, longest: 6 })
  expect(rows[0]?.chats).toBeGreaterThan(500)
  expect(rows[0]?.texts).toBeGreaterThan(500)
  expect(
    await one(`select count(*)::int from chats c where last_seq <> (
    select count(*) from chat_messages m where m.booking_id = c.booking_id and m.driver_id = c.driver_id)`),
  ).toBe(0)
  // Both have read everything, except the end of the demo rider's last conversation.
  const unread = await app.database.pool.query(
    `select email, by_rider, by_driver from unread_chats u join bookings b on b.id = u.booking_id
      join users r on r.id = b.customer where by_rider + by_driver > 0`,
  )
  expect(unread.rows).toEqual([{ email: 'rider@demo.test', by_rider: 2, by_driver: 0 }])
})

test('seed, past: conversations -> two reports wait for an admin, and the sent photo can be shown', async () => {
  const { rows } = await app.database.pool.query<{ by: string; at: number }>(
    'select r.by, r.at from chat_reports r join open_chat_reports o on o.id = r.id order by r.by',
  )
  expect(rows.map(({ by }) => by)).toEqual(['driver', 'rider'])
  // Too old to be announced.
  expect(rows.filter(({ at }) => at > now - 24 * 3_600_000)).toEqual([])
  const photos = await app.database.pool.query<{ booking_id: string; photo: string }>(
    `select booking_id, photo from chat_messages where kind = 'photo'`,
  )
  expect(photos.rows).toHaveLength(1)
  const { booking_id = '', photo = '' } = photos.rows[0] ?? {}
  expect((await app.storage.get(storedPath.chatPhoto(booking_id, photo)))?.contentType).toBe('image/webp')
})

test('seed, past: ledger and reports -> consistent', async () => {
  const { pool } = app.database
  expect(formatCheck(await checkLedger(pool))).toEqual([
    expect.stringMatching(/^ledger ok: \d{4,} entries, sum 0$/),
  ])
  expect(await one('select min(wallet_balance) from users')).toBeGreaterThanOrEqual(0)
  expect(
    await one(`select count(*)::int from users u where (u.rating_sum, u.rating_count) is distinct from
      (select (coalesce(sum(rate), 0)::int, count(*)::int) from user_ratings r where r.user_id = u.id)`),
  ).toBe(0)
  expect(
    await one(`select count(*)::int from promos p where user_avail <>
      (select count(*) from bookings b where b.promo_id = p.id and b.status <> 'CANCELLED')`),
  ).toBe(0)
  const read = async () => (await pool.query('select * from report_days order by scope, day')).rows
  await pool.query('select fold_reports(1000000)')
  const folded = await read()
  expect(folded.length).toBeGreaterThan(100)
  await pool.query('select rebuild_reports($1)', ['America/Montevideo'])
  expect(await read()).toEqual(folded)
})

test('seed, past: each demo account -> has a history', async () => {
  for (const [email, path] of [
    ['rider@demo.test', '/api/v1/bookings'],
    ['driver@demo.test', '/api/v1/bookings'],
    ['fleet@demo.test', '/api/v1/bookings'],
  ] as const) {
    const { token } = await app.services.accounts.signIn(
      { email, password: app.services.demo.password },
      { ip: '::1', userAgent: '' },
    )
    const mine = await app.server.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
    expect(mine.json().items.length, email).toBeGreaterThan(15)
  }
})

test('seed: interrupted -> leaves nothing behind, and the next start makes all of it', async () => {
  const other = await createDemoApp()
  const { demo } = other.services
  await other.database.pool.query('alter table promos rename to promos_away')
  await expect(demo.seed({ drivers: 0, riders: 0 })).rejects.toThrow()
  await other.database.pool.query('alter table promos_away rename to promos')
  expect(await other.database.db.select().from(usersTable)).toEqual([])
  expect(await demo.seed({ drivers: 0, riders: 0 })).toBe('made')
  const trips = async (database: typeof app.database) =>
    (await database.pool.query('select booking_id, tripdate, status, trip_cost from bookings order by 1'))
      .rows
  expect((await trips(other.database)).length).toBeGreaterThan(2_000)
  expect(await trips(other.database)).toEqual(await trips(app.database))
  const said = async (database: typeof app.database) =>
    (await database.pool.query('select at, source, message from chat_messages order by at, seq')).rows
  expect(await said(other.database)).toEqual(await said(app.database))
  await other.close()
})

test('seed: riders -> have wallet money, with its source in the ledger', async () => {
  const { rows } = await app.database.pool.query(
    `select (select sum(wallet_balance) from users)::bigint as balances,
            (select sum(amount) from ledger_legs where user_id is not null)::bigint as legs,
            (select sum(amount) from ledger_legs)::bigint as all_legs`,
  )
  expect(Number(rows[0].balances)).toBeGreaterThan(0)
  expect(rows[0].legs).toEqual(rows[0].balances)
  expect(Number(rows[0].all_legs)).toBe(0)
})

test('seed: more people wanted -> adds the missing ones; lost password -> a new one', async () => {
  const { demo } = app.services
  const before = (await people()).length
  await demo.seed({ drivers: 43, riders: 0 })
  expect((await people()).length).toBe(before + 3)
  const lost = await demo.simulatorPassword()
  rmSync(join(dataDir, 'simulator-password'))
  await demo.seed({ drivers: 43, riders: 0 })
  const renewed = await demo.simulatorPassword()
  expect(renewed).not.toBe(lost)
  expect((await signIn('sim-driver-43@demo.test', renewed)).statusCode).toBe(200)
  expect((await signIn('sim-driver-01@demo.test', lost)).statusCode).toBe(401)
})

test('seed: database with users of its own -> unchanged', async () => {
  const other = await createTestApp()
  await other.addUser({ email: 'real@x.test', usertype: 'admin' })
  expect(await other.services.demo.seed({ drivers: 0, riders: 0 })).toBe('foreign')
  expect(await other.database.db.select().from(usersTable)).toHaveLength(1)
  await other.close()
})
