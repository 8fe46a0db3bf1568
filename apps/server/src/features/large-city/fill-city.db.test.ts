import { type FareRule, fareFor } from '@hansom/domain/fare/fare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../platform/database/test-database.ts'
import { readSettings } from '../settings/service.ts'
import { fillLargeCity } from './fill-city.ts'

let database: TestDatabase
const indexes = async () =>
  (
    await rows<{ definition: string }>(`select indexdef as definition from pg_indexes
    where tablename in ('bookings', 'booking_search') order by indexdef`)
  ).map(({ definition }) => definition)
const constraints = async () =>
  rows(`select conname, pg_get_constraintdef(oid) as is from pg_constraint
    where conrelid in ('bookings'::regclass, 'booking_search'::regclass) order by conname`)
let before: unknown
const rows = async <Row extends object>(text: string) => (await database.pool.query<Row>(text)).rows
const one = async (text: string) => Object.values((await rows(text))[0] ?? {})[0]

beforeAll(async () => {
  database = await createTestDatabase()
  before = [await indexes(), await constraints()]
  const settings = await readSettings(database.db)
  await fillLargeCity(database, {
    bookings: 2_000,
    users: 400,
    settings,
    now: Date.now(),
    onProgress: () => {},
  })
})
afterAll(() => database.close())

test('fill: people and bookings -> the requested numbers', async () => {
  expect(await one('select count(*)::int from users')).toBe(400)
  expect(await one('select count(*)::int from bookings')).toBe(2_000)
  const busy = `status in ('COMPLETE', 'CANCELLED')`
  expect(
    await one(`select count(*) filter (where ${busy})::float8 / count(*) from bookings`),
  ).toBeGreaterThan(0.9)
})

test('fill: indexes, foreign keys and triggers -> unchanged', async () => {
  expect([await indexes(), await constraints()]).toEqual(before)
  expect(
    await rows(`select tgname from pg_trigger where tgrelid = 'bookings'::regclass and tgenabled <> 'O'`),
  ).toEqual([])
})

test("fill: fares -> follow the car types' rules", async () => {
  const priced = await rows<{
    fare_rule: FareRule
    distance: number
    estimate_time: number
    decimal: number
    convert_to_mile: boolean
    trip_cost: number
    convenience_fees: number
  }>(`select fare_rule, distance, estimate_time, decimal, convert_to_mile, trip_cost, convenience_fees
    from bookings where status = 'COMPLETE' limit 300`)
  expect(priced).toHaveLength(300)
  for (const { fare_rule, distance, estimate_time, trip_cost, convenience_fees, ...units } of priced) {
    expect(fareFor(fare_rule, distance, estimate_time, 0, units)).toMatchObject({
      trip_cost,
      convenience_fees,
    })
  }
})

test('fill: search index, report sums and ledger -> consistent with the rows', async () => {
  expect(
    await one(`select count(*)::int from bookings b left join booking_search s on s.booking_id = b.id
      where s.words is distinct from booking_search_text(b)`),
  ).toBe(0)
  expect(
    await one(`select (select sum(driver_share) from bookings where status in ('PAID', 'COMPLETE')) =
      (select sum(driver_share) from report_days where scope = '00000000-0000-0000-0000-000000000000')`),
  ).toBe(true)
  expect(
    await one(`select (select sum(credits) from report_days where scope = '00000000-0000-0000-0000-000000000000')
        + coalesce((select sum(credits) from report_deltas), 0)
      = -(select sum(amount) from ledger_legs where account = 'adjustment')`),
  ).toBe(true)
  expect(await one('select sum(amount)::int from ledger_legs')).toBe(0)
  expect(
    await one(`select count(*)::int from users u where wallet_balance <>
      coalesce((select sum(amount) from ledger_legs where user_id = u.id), 0)`),
  ).toBe(0)
})

test('fill: driver -> on at most one trip, as the unique index demands', async () => {
  const running = `status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')`
  expect(
    await one(`select count(*)::int from users where queue <> exists
      (select from bookings where driver = users.id and ${running})`),
  ).toBe(0)
})
