import type {
  DashboardView,
  DriverEarning,
  DriverTotal,
  EarningRow,
  EarningSums,
} from '@hansom/contract/reports'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCarType } from '../../access-scene.fixture.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { addBooked, type Booked } from './booked.fixture.ts'

// 1:30 a.m. UTC: still the 20th in the city.
const now = Date.parse('2026-11-21T01:30:00Z')
let app: TestApp
const ids = { admin: '', fleet: '', other: '', rider: '', ana: '', bea: '', cid: '' }
const bearers: Record<string, string> = {}
let carType: string

beforeAll(async () => {
  app = await createTestApp({ clock: manualClock(now), maps: straightMaps() })
  carType = await createCarType(app.database)
  for (const [name, usertype] of [
    ['admin', 'admin'],
    ['fleet', 'fleetadmin'],
    ['other', 'fleetadmin'],
    ['rider', 'rider'],
    ['ana', 'driver'],
    ['bea', 'driver'],
    ['cid', 'driver'],
  ] as const) {
    const email = `${name}@test.example`
    ids[name] = await app.addUser({ email, usertype, firstName: name, lastName: 'Test' })
    if (['admin', 'fleet', 'other'].includes(name)) bearers[name] = await app.bearer(email)
  }
  await app.database.pool.query(`update users set vehicle_number = 'SBA 1234' where id = $1`, [ids.bea])
  const trips: Booked[] = [
    { status: 'PAID', at: '2026-11-20T12:00:00Z', driver: ids.ana, fleetadmin: ids.fleet, fee: 7, share: 60 },
    { status: 'COMPLETE', at: '2026-11-21T01:00:00Z', driver: ids.bea, fee: 5, share: 40, discount: 9 },
    {
      status: 'COMPLETE',
      at: '2026-11-02T12:00:00Z',
      driver: ids.ana,
      fleetadmin: ids.fleet,
      fee: 3,
      share: 30,
    },
    // Still October in the city.
    {
      status: 'COMPLETE',
      at: '2026-11-01T02:59:00Z',
      driver: ids.ana,
      fleetadmin: ids.fleet,
      fee: 1,
      share: 10,
    },
    { status: 'COMPLETE', at: '2025-12-31T12:00:00Z', driver: ids.bea, fee: 100, share: 900 },
    {
      status: 'COMPLETE',
      at: '2025-11-15T12:00:00Z',
      driver: ids.cid,
      fleetadmin: ids.other,
      fee: 11,
      share: 20,
    },
    { status: 'CANCELLED', at: '2026-11-20T13:00:00Z', driver: null, fee: 50, share: 50 },
    {
      status: 'PENDING',
      at: '2026-11-20T14:00:00Z',
      driver: ids.cid,
      fleetadmin: ids.other,
      fee: 80,
      share: 50,
    },
    { status: 'NEW', at: '2026-11-22T14:00:00Z', driver: null, fee: 80, share: 50 },
  ]
  for (const trip of trips) await addBooked(app.database, { customer: ids.rider, carType }, trip)
})
afterAll(() => app.close())

async function get<T>(user: string, path: string, query: Record<string, string> = {}): Promise<T> {
  const answer = await app.server.inject({
    url: `/api/v1/reports/${path}?${new URLSearchParams(query)}`,
    headers: { authorization: bearers[user] ?? '' },
  })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}
const drivers = async (user: string, query: Record<string, string> = {}) =>
  (await get<{ items: DriverEarning[] }>(user, 'drivers', query)).items.map((row) =>
    [row.year, row.month, row.driverName.split(' ')[0], row.total_rides, row.driverShare].join(' ').trim(),
  )
const totals = async (user: string, query: Record<string, string> = {}) =>
  (await get<DriverTotal[]>(user, 'drivers/totals', query)).map((row) =>
    [row.year, row.month, row.total_rides, row.driverShare].join(' ').trim(),
  )
const counts = (view: DashboardView) =>
  Object.fromEntries(
    view.statuses.filter(({ count }) => count > 0).map(({ status, count }) => [status, count]),
  )

// With all changes new, all folded, some of each, and after a rebuild.
const stages: [string, () => Promise<unknown>][] = [
  ['all changes new', async () => {}],
  ['all changes folded', () => app.services.reports.fold()],
  [
    'some changes new',
    async () => {
      const moved = await app.database.pool.query(
        `update bookings set status = 'NEW', driver = null where convenience_fees in (3, 100) returning id`,
      )
      await app.services.reports.fold()
      for (const { id } of moved.rows)
        await app.database.pool.query(
          `update bookings set status = 'COMPLETE', driver = case convenience_fees when 3 then $2::uuid else $3 end
            where id = $1`,
          [id, ids.ana, ids.bea],
        )
    },
  ],
  ['rebuilt', () => app.services.reports.rebuild()],
]

describe.each(stages)('reports, %s', (_name, prepare) => {
  beforeAll(async () => void (await prepare()))

  test('dashboard: admin -> figures, statuses and days of all trips', async () => {
    const view = await get<DashboardView>('admin', 'dashboard')
    expect(view).toMatchObject({
      timezone: 'America/Montevideo',
      today: '2026-11-20',
      earnings: {
        today: { trips: 2, cancelled: 1, tripCost: 112, driverShare: 100, convenienceFee: 12, profit: 3 },
        month: { trips: 3, cancelled: 1, tripCost: 145, driverShare: 130, convenienceFee: 15, profit: 6 },
        total: {
          trips: 6,
          cancelled: 1,
          tripCost: 1187,
          driverShare: 1060,
          convenienceFee: 127,
          profit: 118,
        },
      },
    })
    expect(counts(view)).toEqual({ PAID: 1, COMPLETE: 5, CANCELLED: 1, PENDING: 1, NEW: 1 } satisfies Partial<
      Record<BookingStatus, number>
    >)
    expect(view.statuses).toHaveLength(10)
    expect(view.days).toHaveLength(30)
    expect([view.days[0]?.day, view.days[29]?.day]).toEqual(['2026-10-22', '2026-11-20'])
    expect(
      view.days.filter(({ trips }) => trips > 0).map(({ day, convenienceFee }) => [day, convenienceFee]),
    ).toEqual([
      ['2026-10-31', 1],
      ['2026-11-02', 3],
      ['2026-11-20', 12],
    ])
  })

  test('dashboard: fleet admin -> own fleet, no platform profit', async () => {
    const view = await get<DashboardView>('fleet', 'dashboard')
    expect(view.earnings.total).toEqual({
      trips: 3,
      cancelled: 0,
      tripCost: 111,
      driverShare: 100,
      convenienceFee: 11,
      cancellationFees: 0,
      waiting: 0,
      driverRefunds: 0,
      driversEarned: 100,
      discountAmount: null,
      profit: null,
      writeOffs: null,
      platformRefunds: null,
      disputeFees: null,
      net: null,
      openRefunds: null,
      bonuses: null,
      credits: null,
    })
    expect(counts(view)).toEqual({ PAID: 1, COMPLETE: 2 })
    expect(counts(await get<DashboardView>('other', 'dashboard'))).toEqual({ COMPLETE: 1, PENDING: 1 })
  })

  test('earnings: by month -> figures with profit', async () => {
    const report = await get<{ items: EarningRow[]; total: EarningSums }>('admin', 'earnings')
    expect(report.items[0]).toEqual({
      year: 2026,
      month: 11,
      monthsName: 'November',
      total_rides: 3,
      tripCost: 145,
      rideCost: 130,
      convenienceFee: 15,
      discountAmount: 9,
      profit: 6,
      cancelled: 1,
      driverShare: 130,
      cancellationFees: 0,
      waiting: 0,
      writeOffs: 0,
      platformRefunds: 0,
      driverRefunds: 0,
      disputeFees: 0,
      net: 6,
      openRefunds: 0,
      bonuses: 0,
      credits: 0,
    })
    expect(report.items.map(({ year, month }) => `${year}-${month}`)).toEqual([
      '2026-11',
      '2026-10',
      '2025-12',
      '2025-11',
    ])
    expect(report.total).toMatchObject({ total_rides: 6, profit: 118 })
    const some = await get<{ items: EarningRow[]; total: EarningSums }>('admin', 'earnings', {
      month: '11',
      sort: 'profit',
    })
    expect(some.items.map(({ profit }) => profit)).toEqual([6, 11])
    expect(some.total.profit).toBe(17)
  })

  test('drivers: by month, year, all time -> sorted sums', async () => {
    expect(await drivers('admin')).toEqual([
      '2026 11 ana 2 90',
      '2026 11 bea 1 40',
      '2026 10 ana 1 10',
      '2025 12 bea 1 900',
      '2025 11 cid 1 20',
    ])
    expect(await drivers('admin', { by: 'year', sort: 'driverShare' })).toEqual([
      '2025  cid 1 20',
      '2026  bea 1 40',
      '2026  ana 3 100',
      '2025  bea 1 900',
    ])
    expect(await drivers('admin', { by: 'driver', sort: '-total_rides' })).toEqual([
      'ana 3 100',
      'bea 2 940',
      'cid 1 20',
    ])
  })

  test('drivers: filters -> matching rows', async () => {
    expect(await drivers('admin', { month: '11', year: '2025..2026' })).toHaveLength(3)
    expect(await drivers('admin', { year: '..2025' })).toEqual(['2025 12 bea 1 900', '2025 11 cid 1 20'])
    expect(await drivers('admin', { driver: ids.bea, by: 'driver' })).toEqual(['bea 2 940'])
    expect(await drivers('admin', { by: 'driver', year: '2026..2026' })).toEqual(['ana 3 100', 'bea 1 40'])
    expect(await drivers('admin', { by: 'driver', month: '11,12', sort: '-driverShare' })).toEqual([
      'bea 2 940',
      'ana 2 90',
      'cid 1 20',
    ])
    expect(await drivers('admin', { by: 'year', month: '11' })).toEqual([
      '2026  ana 2 90',
      '2026  bea 1 40',
      '2025  cid 1 20',
    ])
    expect(await drivers('admin', { q: 'sba 12' })).toEqual(['2026 11 bea 1 40', '2025 12 bea 1 900'])
    expect(await drivers('admin', { fleetadmin: ids.other })).toEqual(['2025 11 cid 1 20'])
    expect(await get('admin', 'drivers/count', { month: '11' })).toEqual({ count: 3, more: false })
    expect(await get('admin', 'drivers/count', { by: 'driver', month: '11' })).toEqual({
      count: 3,
      more: false,
    })
  })

  test('drivers: fleet admin -> own fleet only', async () => {
    expect(await drivers('fleet')).toEqual(['2026 11 ana 2 90', '2026 10 ana 1 10'])
    expect(await drivers('fleet', { fleetadmin: ids.fleet })).toHaveLength(2)
    expect(await drivers('fleet', { fleetadmin: ids.other })).toEqual([])
    expect(await totals('fleet', { by: 'driver' })).toEqual(['3 100'])
    await expect(get('fleet', 'earnings')).rejects.toThrow('404')
  })

  test('totals: by month, year, all time -> subtotals', async () => {
    expect(await totals('admin')).toEqual(['2026 11 3 130', '2026 10 1 10', '2025 12 1 900', '2025 11 1 20'])
    expect(await totals('admin', { by: 'year' })).toEqual(['2026  4 140', '2025  2 920'])
    expect(await totals('admin', { by: 'driver', q: 'ana' })).toEqual(['3 100'])
  })

  test.each(['-period', 'period', '-earned', 'earned', '-driverShare', '-total_rides', 'total_rides'])(
    'drivers: paged in order %s -> every row once',
    async (sort) => {
      for (const by of ['month', 'year', 'driver']) {
        const complete = await get<{ items: DriverEarning[] }>('admin', 'drivers', { by, sort })
        const items: DriverEarning[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const query: Record<string, string> = { by, sort, limit: '2', ...(cursor && { cursor }) }
          const page: { items: DriverEarning[]; next: string | null } = await get('admin', 'drivers', query)
          items.push(...page.items)
          cursor = page.next
        }
        expect(items).toEqual(complete.items)
      }
    },
  )
})

test('time zone changed -> other days', async () => {
  const zoned = (timezone: string) =>
    app.database.withTransaction((tx) => app.services.settings.update(tx, { timezone }))
  await zoned('UTC')
  await app.services.reports.fold()
  const view = await get<DashboardView>('admin', 'dashboard')
  expect([view.timezone, view.today, view.earnings.today.trips]).toEqual(['UTC', '2026-11-21', 1])
  expect(await app.services.reports.recount()).toEqual([])
  await zoned('America/Montevideo')
  await app.services.reports.fold()
  expect((await get<DashboardView>('admin', 'dashboard')).today).toBe('2026-11-20')
})

test.each([
  'x',
  '',
  Buffer.from('["-period",1,2]').toString('base64url'),
  Buffer.from('["-period",1e12,2,"z"]').toString('base64url'),
])('drivers: invalid cursor %j -> 400', async (cursor) => {
  await expect(get('admin', 'drivers', { cursor })).rejects.toThrow('400')
})

test('no bookings -> no sums', async () => {
  await app.database.pool.query('truncate bookings cascade')
  const view = await get<DashboardView>('admin', 'dashboard')
  expect(view.earnings.total.trips).toBe(0)
  expect(await drivers('admin')).toEqual([])
  expect(await app.services.reports.recount()).toEqual([])
})
