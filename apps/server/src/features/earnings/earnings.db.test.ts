import type { EarningLine, EarningPartsView, EarningPeriodView } from '@hansom/contract/earnings'
import { dueReleases } from '@hansom/domain/wallet/dues'
import { refundConfirmed, refundFailed, refundRequested } from '@hansom/domain/wallet/refund-entries'
import { cancellation, cashPayment, settlement, walletPayment } from '@hansom/domain/wallet/trip-entries'
import { referralBonus } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCarType } from '../../access-scene.fixture.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { addBooked, type Booked } from '../reports/booked.fixture.ts'

// 1:30 a.m. UTC: still Friday the 20th in the city, which is three hours behind.
const now = Date.parse('2026-11-21T01:30:00Z')
let app: TestApp
let carType: string
const ids = { rider: '', newcomer: '', ana: '', bea: '' }
const bearers: Record<string, string> = {}

beforeAll(async () => {
  app = await createTestApp({ clock: manualClock(now), maps: straightMaps() })
  carType = await createCarType(app.database)
  for (const [name, usertype] of [
    ['rider', 'rider'],
    ['newcomer', 'rider'],
    ['ana', 'driver'],
    ['bea', 'driver'],
    ['admin', 'admin'],
    ['fleet', 'fleetadmin'],
  ] as const) {
    const email = `${name}@test.example`
    ids[name as 'rider'] = await app.addUser({ email, usertype, firstName: name, lastName: 'Test' })
    if (name !== 'newcomer') bearers[name] = await app.bearer(email)
  }
  const cash = await booked(
    { status: 'COMPLETE', at: '2026-11-20T12:10:00Z', share: 100, fee: 10 },
    { cash: 90 },
  )
  await booked({ status: 'PAID', at: '2026-11-21T01:00:00Z', share: 50, fee: 5 })
  // The last moment of Thursday in the city, and the first of Friday.
  await booked({ status: 'PAID', at: '2026-11-20T02:59:59.999Z', share: 7, fee: 1 })
  await booked({ status: 'PAID', at: '2026-11-20T03:00:00Z', share: 3, fee: 1 })
  await booked({ status: 'CANCELLED', at: '2026-11-18T12:00:00Z', share: 40, fee: 4 }, { cancelled: 5 })
  await booked({ status: 'CANCELLED', at: '2026-11-18T13:00:00Z', share: 40, fee: 4 })
  // Sunday of the previous week, Monday, and both ends of the month.
  await booked({ status: 'PAID', at: '2026-11-15T15:00:00Z', share: 11, fee: 1 }, { cash: 12 })
  await booked({ status: 'PAID', at: '2026-11-16T15:00:00Z', share: 13, fee: 1 })
  await booked({ status: 'PAID', at: '2026-11-01T02:59:59Z', share: 1_000, fee: 1 })
  await booked({ status: 'PAID', at: '2026-12-01T02:59:59Z', share: 17, fee: 1 })
  // An unpaid trip and another driver's trip.
  await booked({ status: 'PENDING', at: '2026-11-20T13:00:00Z', share: 400, fee: 4 })
  await booked({ status: 'PAID', at: '2026-11-20T12:00:00Z', share: 500, fee: 5, driver: ids.bea })
  await refunded(cash, { amount: 30, at: '2026-11-20T20:00:00Z', state: 'confirmed' })
  await refunded(cash, { amount: 6, at: '2026-11-20T21:00:00Z', state: 'failed' })
  await refunded(cash, { amount: 4, at: '2026-11-21T01:10:00Z', state: 'pending' })
  await app.database.pool.query('update users set signup_via_referral = $1 where id = $2', [
    ids.ana,
    ids.newcomer,
  ])
  await append('2026-11-20T22:00:00Z', [referralBonus(ids.newcomer, ids.ana, 25, cash)])
})
afterAll(() => app.close())

/** A booking with its ledger entries. */
async function booked(
  trip: Omit<Booked, 'driver'> & { driver?: string },
  { cash = 0, cancelled = 0 } = {},
): Promise<string> {
  const { driver = ids.ana, share = 0, fee = 0 } = trip
  const id = await addBooked(app.database, { customer: ids.rider, carType }, { ...trip, driver })
  await app.database.pool.query(
    'update bookings set cash_payment_amount = $2, cancellation_fee = $3 where id = $1',
    [id, cash, cancelled],
  )
  if (trip.status === 'CANCELLED') {
    const people = { rider: ids.rider, driver }
    await append(trip.at, [
      ...cancellation({ ...people, booking: id, fee: cancelled, paid: 0, promo: 0 }),
      ...(cancelled > 0 ? dueReleases([{ ...people, booking: id, open: cancelled }], 0) : []),
    ])
  } else if (trip.status !== 'PENDING') {
    const cost = { trip_cost: share + fee, driver_share: share, convenience_fees: fee }
    await append(trip.at, [
      ...cashPayment(id, driver, cash),
      ...walletPayment(id, ids.rider, share + fee - cash),
      ...settlement(id, driver, cost),
    ])
  }
  return id
}

async function append(at: string | number, entries: Parameters<TestApp['services']['wallet']['append']>[1]) {
  await app.database.withTransaction((tx) =>
    app.services.wallet.append(tx, entries, { at: new Date(at).getTime(), currency: 'UYU', by: null }),
  )
}

async function refunded(
  booking: string,
  { amount, at, state }: { amount: number; at: string; state: 'confirmed' | 'failed' | 'pending' },
) {
  const id = uuidv7()
  const when = Date.parse(at)
  await app.database.pool.query(
    `insert into refunds (id, at, booking, code, source, rider, rider_name, amount, currency, bearer, driver, reason, state,
        before, look_at, ended_at, by_user)
      values ($1, $2, $3, 'ABC234', 'cash', $4, 'R R', $5, 'UYU', 'driver', $6, 'The route was long', $7, 0, $2, $8, $4)`,
    [id, when, booking, ids.rider, amount, ids.ana, state, state === 'pending' ? null : when],
  )
  const refund = { id, booking, amount, bearer: { driver: ids.ana } }
  const ends = {
    confirmed: [refundConfirmed(refund, { rider: ids.rider })],
    failed: [refundFailed(refund)],
    pending: [],
  }
  await append(at, [refundRequested(refund), ...ends[state]])
}

async function ask(user: string | null, path: string, query: Record<string, string> = {}) {
  return app.server.inject({
    url: `/api/v1/me/earnings${path}?${new URLSearchParams(query)}`,
    headers: user === null ? {} : { authorization: bearers[user] ?? '' },
  })
}
const period = async (query: Record<string, string> = {}, user = 'ana') =>
  (await ask(user, '', query)).json<EarningPeriodView>()
const page = async (query: Record<string, string>) =>
  (await ask('ana', '/lines', query)).json<{ items: EarningLine[]; next: string | null }>()

async function allLines(query: Record<string, string>): Promise<EarningLine[]> {
  const lines: EarningLine[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { items, next }: Awaited<ReturnType<typeof page>> = await page({
      ...query,
      limit: '2',
      ...(cursor && { cursor }),
    })
    lines.push(...items)
    cursor = next
  }
  return lines
}

const figures = [
  'trips',
  'tripCost',
  'platformFee',
  'driverShare',
  'cancellationFee',
  'bonus',
  'refund',
  'cash',
  'earned',
  'toWallet',
] as const
const sum = (rows: readonly EarningPartsView[]) =>
  Object.fromEntries(figures.map((name) => [name, rows.reduce((all, row) => all + row[name], 0)]))

test("earnings: day -> the city's calendar day with all figures", async () => {
  const { total, parts, ...day } = await period()
  expect(day).toEqual({
    timezone: 'America/Montevideo',
    today: '2026-11-20',
    by: 'day',
    from: '2026-11-20',
    to: '2026-11-20',
  })
  expect(total).toEqual({
    trips: 3,
    tripCost: 169,
    platformFee: 16,
    driverShare: 153,
    cancellationFee: 0,
    bonus: 25,
    refund: 34,
    cash: 90,
    earned: 144,
    toWallet: 54,
  })
  expect(parts).toHaveLength(24)
  expect(
    parts
      .filter(({ trips }) => trips > 0)
      .map(({ start, driverShare }) => [new Date(start).toISOString(), driverShare]),
  ).toEqual([
    ['2026-11-20T03:00:00.000Z', 3],
    ['2026-11-20T12:00:00.000Z', 100],
    ['2026-11-21T01:00:00.000Z', 50],
  ])
})

test('driver console: today -> matches the earnings page', async () => {
  const answer = await app.server.inject({
    url: '/api/v1/driver',
    headers: { authorization: bearers.ana ?? '' },
  })
  expect(answer.json()).toMatchObject({ today: { trips: 3, earnings: 144 } })
})

test.each([
  ['previous day', { by: 'day', day: '2026-11-19' }, '2026-11-19', '2026-11-19', 7],
  ['week, from Monday', { by: 'week' }, '2026-11-16', '2026-11-22', 153 + 7 + 5 + 13 + 25 - 34],
  ['previous week, by its last day', { by: 'week', day: '2026-11-15' }, '2026-11-09', '2026-11-15', 11],
  ['a month', { by: 'month' }, '2026-11-01', '2026-11-30', 153 + 7 + 5 + 13 + 11 + 17 + 25 - 34],
  ['previous month', { by: 'month', day: '2026-10-07' }, '2026-10-01', '2026-10-31', 1_000],
  ['month without trips', { by: 'month', day: '2024-02-29' }, '2024-02-01', '2024-02-29', 0],
])('earnings: %s', async (_name, query, from, to, earned) => {
  const { total, parts, ...found } = await period(query)
  expect([found.from, found.to, total.earned]).toEqual([from, to, earned])
  expect(sum(parts)).toEqual(total)
  const lines = await allLines(query)
  expect(sum(lines)).toEqual(total)
  expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort((one, other) => other - one))
})

test('earnings: wallet amounts of all months -> match the wallet balance', async () => {
  const months = await Promise.all(
    ['2026-10-15', '2026-11-15', '2026-12-15'].map((day) => period({ by: 'month', day })),
  )
  const { rows } = await app.database.pool.query<{ wallet_balance: number }>(
    'select wallet_balance from users where id = $1',
    [ids.ana],
  )
  expect(months.reduce((all, { total }) => all + total.toWallet, 0)).toBe(rows[0]?.wallet_balance)
})

test('earnings lines: week -> kind, figures and booking of each', async () => {
  const lines = await allLines({ by: 'week' })
  expect(lines.map(({ kind, earned, toWallet }) => [kind, earned, toWallet])).toEqual([
    ['refund', -4, -4],
    ['trip', 50, 50],
    ['bonus', 25, 25],
    ['refund', -30, -30],
    ['trip', 100, 10],
    ['trip', 3, 3],
    ['trip', 7, 7],
    ['cancellation', 5, 5],
    ['trip', 13, 13],
  ])
  expect(lines[4]).toMatchObject({
    pickup: 'Plaza',
    drop: 'Plaza',
    payment_mode: 'cash',
    tripCost: 110,
    cash: 90,
  })
  expect(lines[3]).toMatchObject({
    booking: lines[4]?.id,
    booking_id: 'ABC234',
    reason: 'The route was long',
    refund: 30,
  })
  // A bonus does not reveal the newcomer's trip.
  expect(lines[2]).toMatchObject({ booking: null, booking_id: null, bonus: 25 })
})

test('earnings: drivers see their own; other roles -> 404; no session -> 401', async () => {
  expect((await period({}, 'bea')).total).toMatchObject({ trips: 1, earned: 500 })
  for (const path of ['', '/lines']) {
    const statuses = await Promise.all(
      ['rider', 'admin', 'fleet', null].map(async (user) => (await ask(user, path)).statusCode),
    )
    expect(statuses, path).toEqual([404, 404, 404, 401])
  }
})

test.each([
  ['', { by: 'year' }],
  ['', { day: '2026-02-30' }],
  ['', { day: '0000-01-01' }],
  ['/lines', { cursor: 'x' }],
  ['/lines', { limit: '201' }],
])('earnings: %s %o -> invalid_input', async (path, query) => {
  const answer = await ask('ana', path, query as Record<string, string>)
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    expect.objectContaining({ error: 'invalid_input' }),
  ])
})

test('earnings: other time zone -> its days; the repeated hour appears twice', async () => {
  await booked({ status: 'PAID', at: '2025-10-26T00:30:00Z', share: 1, fee: 0, driver: ids.bea })
  await booked({ status: 'PAID', at: '2025-10-26T01:30:00Z', share: 2, fee: 0, driver: ids.bea })
  await booked({ status: 'PAID', at: '2025-10-26T22:59:59Z', share: 4, fee: 0, driver: ids.bea })
  await booked({ status: 'PAID', at: '2025-10-26T23:00:00Z', share: 8, fee: 0, driver: ids.bea })
  const zoned = (timezone: string) =>
    app.database.withTransaction((tx) => app.services.settings.update(tx, { timezone }))
  await zoned('Europe/Madrid')
  try {
    const { timezone, today, total, parts } = await period({ day: '2025-10-26' }, 'bea')
    expect([timezone, today, total.earned]).toEqual(['Europe/Madrid', '2026-11-21', 7])
    expect(parts.map(({ earned }) => earned)).toEqual([0, 0, 1, 2, ...Array(20).fill(0), 4])
  } finally {
    await zoned('America/Montevideo')
  }
})
