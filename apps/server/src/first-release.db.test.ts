import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPayments } from './adapters/payments/test/test-payments.ts'
import { loadConfig } from './config.ts'
import { drop, pickup, straightMaps } from './features/bookings/straight-city.fixture.ts'
import { checkLedger, isConsistent } from './features/ledger-check/check-ledger.ts'
import { systemClock } from './platform/clock/clock.ts'
import { migrate } from './platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { installJobs } from './platform/jobs/jobs.ts'
import { createTestPayments } from './platform/test-payments/test-payments.ts'
import { createTestApp, type TestApp } from './test-app.ts'

// A demo of the first release (commit 84a5f33) after 20 minutes, dumped with pg_dump: 67 bookings, 7 of them open, card
// payments, a refund, withdrawals, and its job queues. All its people are the demo's.
const dump = new URL('./first-release.fixture.sql.gz', import.meta.url)

let database: TestDatabase
let fresh: TestDatabase
let app: TestApp
let before: unknown
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  fresh = await createTestDatabase()
  const client = await database.pool.connect()
  await client.query(gunzipSync(readFileSync(dump)).toString())
  // The dump sets a search path and limits.
  client.release(true)
  before = await totals()
  await migrate(database)
  await installJobs(database)
  // The open bookings of the first release would occupy the driver first.
  await database.pool.query(`update settings set value = jsonb_set(value, '{autoDispatch}', 'false')`)
  app = await createTestApp({
    database,
    // Outside of a demo its people cannot sign in.
    config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: true },
    maps: straightMaps(),
    payments: [testPayments({ secret: 'test', store: createTestPayments(database, systemClock) })],
  })
})
afterAll(async () => {
  await fresh.close()
  await app.close()
})

const rows = async (text: string, { pool } = database) =>
  (await pool.query<Record<string, unknown>>(text)).rows

/** Counts and sums that an upgrade preserves. */
async function totals() {
  const [found] = await rows(`select
    (select jsonb_object_agg(usertype, n) from (select usertype, count(*) as n from users group by 1) u) as users,
    (select sum(wallet_balance) from users) as balances,
    (select jsonb_object_agg(status, n) from (select status, count(*) as n from bookings group by 1) b) as bookings,
    (select jsonb_build_array(sum(trip_cost), sum(driver_share), sum(customer_paid), sum(cash_payment_amount),
      sum(card_payment_amount), sum(used_wallet_money), sum(cancellation_fee)) from bookings) as amounts,
    (select jsonb_build_array(count(*), sum(lat), sum(lng)) from tracking) as points,
    (select count(*) from booking_events) as events,
    (select count(*) from user_notifications) as notifications,
    (select jsonb_build_array(count(*), sum(rate)) from user_ratings) as ratings,
    (select jsonb_object_agg(kind, n) from (select kind, count(*) as n from ledger_entries group by 1) l) as entries,
    (select jsonb_object_agg(account, total) from (select split_part(account, ':', 1) as account, sum(amount) as total
      from ledger_legs group by 1) l) as accounts,
    (select jsonb_object_agg(state, total) from (select state, sum(amount) as total from payments group by 1) p) as payments,
    (select jsonb_build_array(count(*), sum(amount)) from refunds) as refunds,
    (select jsonb_build_array(count(*), sum(amount)) from withdraws) as withdraws,
    (select jsonb_build_array(sum(rides), sum(cancelled), sum(trip_cost), sum(driver_share)) from report_days) as reports,
    (select count(*) from audit_log) as audit`)
  return found
}

test('first release upgraded: counts and sums -> unchanged', async () => {
  expect(before).toMatchObject({ bookings: { COMPLETE: 53, STARTED: 3 }, payments: { paid: 7_430_000 } })
  expect(await totals()).toEqual(before)
})

test('first release upgraded: ledger -> matches all stored balances', async () => {
  const check = await checkLedger(database.pool)
  expect(check.differences).toEqual([])
  expect(isConsistent(check)).toBe(true)
})

test('first release upgraded: schema -> the same as a fresh one', async () => {
  // Monthly partitions depend on the date of the migration; a restored dump has fewer parentheses.
  const described = `c.relnamespace = 'public'::regnamespace and not c.relispartition`
  const catalog = `
    select 'function ' || pg_get_functiondef(p.oid) as line from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all select 'trigger ' || pg_get_triggerdef(t.oid) || tgenabled::text from pg_trigger t
      join pg_class c on c.oid = tgrelid where not tgisinternal and ${described}
    union all select 'view ' || c.relname || pg_get_viewdef(c.oid) from pg_class c where relkind = 'v' and ${described}
    union all select 'index ' || pg_get_indexdef(indexrelid) from pg_index
      join pg_class c on c.oid = indrelid where ${described}
    union all select 'constraint ' || c.relname || ' ' || conname || translate(pg_get_constraintdef(k.oid), '()', '') from pg_constraint k
      join pg_class c on c.oid = conrelid where contype <> 'n' and ${described}
    union all select 'column ' || c.relname || ' ' || attname || ' ' || format_type(atttypid, atttypmod)
        || attnotnull || coalesce(pg_get_expr(adbin, adrelid), '') from pg_attribute a
      join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped and relkind in ('r', 'p') and ${described}
    union all select 'table ' || c.relname || relkind::text || coalesce(reloptions::text, '') from pg_class c
      where ${described}
    order by 1`
  const expected = await rows(catalog, fresh)
  expect(expected.length).toBeGreaterThan(1_000)
  expect(await rows(catalog)).toEqual(expected)
})

test('first release upgraded: a booking is created, paid, accepted, driven and closed', async () => {
  const [rider, driver, admin] = await Promise.all(
    ['rider', 'driver', 'admin'].map(async (role) => {
      const payload = { email: `${role}@demo.test`, password: 'demo2026' }
      const answer = await app.server.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload })
      expect(answer.statusCode, answer.body).toBe(200)
      return `Bearer ${answer.json<{ token: string }>().token}`
    }),
  )
  const send = async (authorization: string | undefined, url: string, payload?: object) => {
    const headers = { authorization, 'idempotency-key': crypto.randomUUID() }
    const method = payload === undefined ? 'GET' : 'POST'
    return app.server.inject({ method, url, headers, ...(payload && { payload }) })
  }
  const api = async (who: string | undefined, url: string, payload?: object) => {
    const answer = await send(who, `/api/v1${url}`, payload)
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300)
    return answer.json<Record<string, unknown>>()
  }

  const [carType] = await rows(
    `select car_type_id as id from users where email = 'driver@demo.test' and car_type_id is not null`,
  )
  await database.pool.query(`update users set driver_active_status = true where email = 'driver@demo.test'`)
  const { lat, lng } = pickup
  await api(driver, '/driver/positions', {
    positions: [{ at: Date.now(), lat, lng, bearing: null, speed: null, accuracy: 5 }],
  })
  const booked = await api(rider, '/bookings', {
    pickup,
    drop,
    car_type_id: carType?.id,
    bookLater: false,
    payment_mode: 'card',
    inAdvance: true,
  })
  expect(booked.status).toBe('PAYMENT_PENDING')
  const { fields } = await api(rider, `/payments/orders/${String(booked.id)}`)
  const form = new URLSearchParams(
    (fields as { name: string; value: string }[]).map((f) => [f.name, f.value]),
  )
  const begun = await app.server.inject({
    method: 'POST',
    url: '/pay/test',
    headers: { authorization: rider, 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
  const payment = /\/checkout\/test\/([\w-]+)$/.exec(String(begun.headers.location))?.[1]
  await api(rider, `/payments/${payment}/complete`, { input: { decision: 'approve' } })
  const [paid] = await rows(`select state from payments where id = '${payment}'`)
  expect(paid).toEqual({ state: 'paid' })

  const [asked] = await rows(`select id from users where email = 'driver@demo.test'`)
  const step = (who: string | undefined, command: string, body: object = {}) =>
    api(who, `/bookings/${String(booked.id)}/${command}`, body)
  // The jobs that the first release left behind run too.
  await app.start()
  await step(admin, 'assign-driver', { driver: asked?.id })
  await step(driver, 'accept')
  await step(driver, 'arrive')
  await step(driver, 'start')
  await step(driver, 'reach')
  expect((await step(driver, 'close')).status).toBe('PAID')
  expect((await checkLedger(database.pool)).differences).toEqual([])
}, 100_000)
