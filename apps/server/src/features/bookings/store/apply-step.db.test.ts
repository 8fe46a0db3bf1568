import { entry } from '@hansom/domain/wallet/ledger'
import type { PoolClient } from 'pg'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { postgresError } from '../../../platform/database/postgres-errors.ts'
import { createTestCity, type TestCity, taxiTest } from '../booking-city.fixture.ts'
import { type DecisionRows, stepStatement } from './apply-step.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
})
afterAll(() => city.close())

let ids: { booking: string; rider: string; driver: string; other: string }
beforeEach(async () => {
  const [rider, driver, other] = [await city.addRider(), await city.addDriver(), await city.addDriver()]
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver, other])
  await city.outbox.idle()
  ids = { booking: booking.id, rider: rider.id, driver: driver.id, other: other.id }
})

const now = 1_700_000_000_000

/** The rows of a change that every decision has. */
function plain(set: Record<string, unknown> = { otp_tries: 2 }): DecisionRows {
  const { booking: booking_id, driver } = ids
  return {
    now,
    changes: [{ id: booking_id, version: 1, set }],
    events: [
      {
        booking_id,
        version: 2,
        at: now,
        actor: 'driver',
        by_user: driver,
        command: 'accept',
        from_status: 'NEW',
        to_status: 'NEW',
        reason: null,
      },
    ],
    outbox: [
      { stream: booking_id, kind: 'booking.changed', payload: { note: `it's "1"`, list: [1, null] } },
      { kind: 'wallet.collect', stream: 'wallet:1', payload: {} },
    ],
  }
}

const idempotency = () => ({
  scope: `${ids.driver}|accept|1`,
  body_hash: 'a',
  at: now,
  result_id: ids.booking,
})
const answered = () => ({ booking_id: ids.booking, driver_id: ids.driver })
const moved = () => [
  {
    ...entry('settlement', `key:${ids.booking}`, ids.booking, [
      { account: `user:${ids.driver}`, amount: 700 },
      { account: `due:${ids.booking}`, amount: 100 },
      { account: `user:${ids.rider}`, amount: -1000 },
      { account: `user:${ids.driver}`, amount: 150 },
      { account: 'platform', amount: 50 },
    ]),
    id: ids.booking,
    at: now,
    currency: 'UYU',
    by: ids.driver,
  },
]

const tables = {
  bookings: 'id = $1',
  users: 'id = any($2)',
  booking_requests: 'booking_id = $1',
  booking_events: 'booking_id = $1',
  booking_search: 'booking_id = $1',
  tracking: 'booking_id = $1',
  user_ratings: 'booking_id = $1',
  idempotency_keys: 'result_id = $1',
  ledger_entries: 'booking_id = $1',
  ledger_legs: 'entry_id = $1',
  dues: 'booking_id = $1',
  outbox: 'true',
  report_operations: 'booking_id = $1',
  report_deltas: 'true',
}

const numbered = ['outbox', 'report_deltas']

/** Every row that a decision may write, without the numbers that a sequence gives. */
async function stored(client: PoolClient): Promise<Record<string, object[]>> {
  const people = [ids.rider, ids.driver, ids.other]
  const found: Record<string, object[]> = {}
  for (const [table, condition] of Object.entries(tables)) {
    const values = condition.includes('$') ? [condition.includes('$1') ? ids.booking : people] : []
    const { rows } = await client.query<{ row: object }>(
      `select to_jsonb(t) - '${numbered.includes(table) ? 'id' : ''}' as row from ${table} t
        where ${condition.replace('$2', '$1')} order by (to_jsonb(t) - 'id')::text`,
      values,
    )
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

/** What is stored after a write that is rolled back; the error if it fails. */
async function after(write: (client: PoolClient) => Promise<unknown>) {
  const client = await city.database.pool.connect()
  try {
    await client.query('begin')
    await write(client)
    await client.query('set constraints all immediate')
    return await stored(client)
  } catch (error) {
    return { error: postgresError(error)?.constraint ?? postgresError(error)?.code ?? String(error) }
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function byBoth(rows: DecisionRows) {
  const step = stepStatement('accept', rows)
  if (!step) throw new Error('the rows need the function')
  return {
    before: await after(async () => {}),
    step: await after((client) => client.query(step)),
    whole: await after((client) => client.query('select apply_booking_decision($1)', [JSON.stringify(rows)])),
  }
}

describe('stepStatement: usual decision -> writes what apply_booking_decision writes', () => {
  test.each<[string, () => DecisionRows]>([
    ['change only', () => plain()],
    ['without events for others', () => ({ ...plain(), outbox: [] })],
    [
      'values of every type',
      () =>
        plain({
          status: 'CANCELLED',
          cancelled_by: 'system',
          drop: { lat: -34.9, lng: -56.2, add: `O'Brien "x"` },
          excluded_drivers: [ids.other],
          promo_details: null,
          distance: 12.345678901234567,
          closed_at: now,
          prepaid: true,
          driver: ids.driver,
          feedback: '{a,b}',
        }),
    ],
    [
      'accept',
      () => ({
        ...plain({ status: 'ACCEPTED', driver: ids.driver, driver_name: 'Ada' }),
        idempotency: idempotency(),
        claim: ids.driver,
        answered: answered(),
        closed: ids.booking,
        tracking: [{ booking_id: ids.booking, at: now, status: 'ACCEPTED', lat: 1.5, lng: 2.25 }],
      }),
    ],
    ['decline', () => ({ ...plain(), answered: answered() })],
    [
      'other drivers withdrawn',
      () => ({ ...plain(), withdrawn: { booking_id: ids.booking, drivers: [ids.other] } }),
    ],
    [
      'close',
      () => ({
        ...plain({ status: 'PAID', driver: ids.driver }),
        free: ids.driver,
        entries: moved(),
        floored: [],
      }),
    ],
    [
      'close by a driver who moves no money',
      () => ({ ...plain(), free: ids.other, entries: moved(), floored: [] }),
    ],
    ['close without money', () => ({ ...plain(), free: ids.driver })],
    [
      'rate',
      () => ({
        ...plain(),
        ratings: [{ booking_id: ids.booking, user_id: ids.driver, rated_by: ids.rider, rate: 4, at: now }],
      }),
    ],
  ])('%s', async (name, rows) => {
    if (name.startsWith('close')) {
      await city.database.pool.query('update users set queue = true where id = any($1)', [
        [ids.driver, ids.other],
      ])
      await city.database.pool.query('update bookings set driver = $2 where id = $1', [
        ids.booking,
        ids.driver,
      ])
    }
    const { before, step, whole } = await byBoth(rows())
    expect(step).not.toHaveProperty('error')
    expect(step).not.toEqual(before)
    expect(step).toEqual(whole)
  })
})

describe('stepStatement: facts have changed -> the error of apply_booking_decision, nothing is written', () => {
  const use = (sql: string, ...values: unknown[]) => city.database.pool.query(sql, values)
  test.each<[string, string, () => Promise<unknown>, () => DecisionRows]>([
    [
      'key used',
      'HN001',
      () =>
        use(
          `insert into idempotency_keys (scope, body_hash, at) values ($1, 'a', 1)`,
          `${ids.driver}|accept|1`,
        ),
      () => ({ ...plain(), idempotency: idempotency() }),
    ],
    [
      'booking changed',
      'HN002',
      () => use('update bookings set version = 7 where id = $1', ids.booking),
      () => ({ ...plain(), idempotency: idempotency(), claim: ids.driver }),
    ],
    [
      'driver busy',
      'HN003',
      () => use('update users set queue = true where id = $1', ids.driver),
      () => ({ ...plain(), claim: ids.driver, answered: answered() }),
    ],
    [
      'wallet too low',
      'HN004',
      async () => {},
      () => ({ ...plain({ driver: ids.driver }), entries: moved(), floored: [ids.rider] }),
    ],
    [
      'request gone',
      'HN006',
      () => use('delete from booking_requests where driver_id = $1', ids.driver),
      () => ({ ...plain(), claim: ids.driver, answered: answered(), closed: ids.booking }),
    ],
    [
      'driver on another trip',
      'bookings_one_trip_a_driver',
      async () => {
        const { booking } = await city.bookings.create(await city.addRider(), city.request(), null)
        await use(`update bookings set status = 'STARTED', driver = $2 where id = $1`, booking.id, ids.driver)
      },
      () => plain({ status: 'ACCEPTED', driver: ids.driver }),
    ],
  ])('%s', async (_name, error, prepare, rows) => {
    await prepare()
    const { step, whole } = await byBoth(rows())
    expect({ step, whole }).toEqual({ step: { error }, whole: { error } })
  })
})

test('stepStatement: unusual decision -> left to apply_booking_decision', () => {
  const change = { id: ids.booking, version: 1, set: {} }
  const rating = { booking_id: ids.booking, user_id: ids.driver, rated_by: ids.rider, rate: 4, at: now }
  const unusual: DecisionRows[] = [
    { ...plain(), changes: [change, change] },
    { ...plain(), claim: ids.driver, free: ids.other },
    { ...plain(), claim: ids.driver, entries: moved() },
    { ...plain(), free: ids.driver, ratings: [rating] },
    { ...plain(), ratings: [rating, rating] },
    { ...plain(), promo_take: uuidv7() } as DecisionRows,
  ]
  expect(unusual.map((rows) => stepStatement('accept', rows))).toEqual(unusual.map(() => null))
  expect(stepStatement('change', plain())).toBeNull()
  expect(() => stepStatement('accept', plain({ stauts: 'NEW' }))).toThrow(/no column/)
})

taxiTest('stepStatement: usual trip -> writes every change after the booking', async () => {
  const [rider, driver] = [await city.addRider(), await city.addDriver()]
  const { booking } = await city.bookings.create(rider, city.request({ payment_mode: 'cash' }), null)
  await city.ask(booking.id, [driver])
  const { accept, arrive, start, reach, close, rate } = city.bookings.commands
  const query = vi.spyOn(city.database.pool, 'query')
  const by = city.order(driver, booking.id)
  for (const give of [accept, arrive, start, reach, close]) await give({ ...by, key: uuidv7() })
  await rate(city.order(rider, booking.id), { rating: 5 })
  const names = query.mock.calls.map(([given]) => (given as unknown as { name?: string }).name ?? '')
  query.mockRestore()
  expect(names.filter((name) => name.startsWith('booking-step-'))).toHaveLength(6)
  expect(names).not.toContain('apply-booking-decision')
})
