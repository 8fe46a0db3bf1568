import { addEarnings, earningFields, earningsOf, noEarnings } from '@hansom/domain/reports/counted'
import fc from 'fast-check'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestCity, type TestCity } from '../../bookings/booking-city.fixture.ts'
import { recountReports } from './recount.ts'
import { foldReports, rebuildReports, stateOfReports } from './sums.ts'

let city: TestCity
let model: object
const bookings: string[] = []
const drivers: string[] = []
const fleets: string[] = []

beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  const rider = await city.addRider()
  for (let number = 0; number < 3; number++) {
    drivers.push((await city.addDriver()).id)
    fleets.push((await city.addUserOf('fleetadmin')).id)
  }
  const { booking } = await city.bookings.create(rider, city.request(), null)
  const row = await query('select to_jsonb(b) as row from bookings b where id = $1', [booking.id])
  model = row[0]?.row as object
})
afterAll(() => city.close())

const query = async (text: string, values: unknown[] = []) =>
  (await city.database.pool.query(text, values)).rows as Record<string, unknown>[]

const addBooking = async (changes: object) => {
  const id = uuidv7()
  bookings.push(id)
  await query('insert into bookings select * from jsonb_populate_record(null::bookings, $1)', [
    JSON.stringify({ ...model, id, booking_id: id, ...changes }),
  ])
}

const money = fc.integer({ min: 0, max: 5_000_000 })
const figures = fc
  .record({
    status: fc.constantFrom('NEW', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED'),
    fees: money,
    share: money,
    cut: fc.nat(100),
    driver: fc.nat(2),
    fleet: fc.nat(3),
    // Two years, with hours that are another day in other zones.
    hour: fc.integer({ min: 0, max: 2 * 365 * 24 }),
  })
  .map(({ status, fees, share, cut, driver, fleet, hour }) => ({
    status,
    cancelled_by: status === 'CANCELLED' ? 'rider' : null,
    driver: (at: readonly string[]) => at[driver],
    fleetadmin: (at: readonly string[]) => at[fleet] ?? null,
    cancellation_fee: status === 'CANCELLED' ? fees : 0,
    convenience_fees: fees,
    driver_share: share,
    trip_cost: fees + share,
    discount_amount: Math.floor(((fees + share) * cut) / 100),
    tripdate: Date.UTC(2025, 0, 1) + hour * 3_600_000,
  }))
const change = fc.oneof(
  { weight: 3, arbitrary: figures.map((to) => ({ kind: 'add' as const, to })) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('change' as const), pick: fc.nat(), to: figures }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('part' as const),
      pick: fc.nat(),
      part: fc.constantFrom(
        'tripdate = tripdate + 86400000',
        'driver = $2',
        'fleetadmin = $2',
        'fleetadmin = null',
        'discount_amount = trip_cost - discount_amount',
        'driver_share = driver_share + 1, trip_cost = trip_cost + 1',
        'convenience_fees = convenience_fees + 1, trip_cost = trip_cost + 1',
        'convenience_fees = convenience_fees + 1, driver_share = driver_share - 1',
      ),
      person: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rate' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'fold' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('zone' as const),
      zone: fc.constantFrom('UTC', 'America/Montevideo', 'Pacific/Kiritimati', 'Asia/Kathmandu'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'undone' as const }) },
)

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function carryOut(one: Change): Promise<void> {
  const { database } = city
  if (one.kind === 'fold') return void (await foldReports(database.pool))
  if (one.kind === 'zone') return rebuildReports(database, one.zone)
  if (one.kind === 'undone') {
    const undo = database.withTransaction(async ({ client }) => {
      await client.query(`update bookings set status = 'PAID', cancelled_by = null, driver = $1`, [
        drivers[0],
      ])
      throw new Error('undone')
    })
    return undo.catch((error: Error) => {
      if (error.message !== 'undone') throw error
    })
  }
  if (one.kind === 'add') return addBooking(rowOf(one.to))
  const id = bookings[one.pick % Math.max(1, bookings.length)]
  if (id === undefined) return
  if (one.kind === 'part') {
    const person = (one.part.startsWith('driver =') ? drivers : fleets)[one.person]
    const values = one.part.includes('$2') ? [id, person] : [id]
    return void (await query(`update bookings set ${one.part} where id = $1`, values))
  }
  if (one.kind === 'delete') return void (await query('delete from bookings where id = $1', [id]))
  if (one.kind === 'rate') {
    const text = `update bookings set status = 'COMPLETE', rating = 5 where id = $1 and status = 'PAID'`
    return void (await query(text, [id]))
  }
  const row = rowOf(one.to)
  const columns = Object.keys(row)
  await query(
    `update bookings set (${columns.join()}) = (select ${columns.map((column) => `r.${column}`).join()}
      from jsonb_populate_record(null::bookings, $2) r) where id = $1`,
    [id, JSON.stringify(row)],
  )
}

const rowOf = (to: typeof figures extends fc.Arbitrary<infer T> ? T : never) => ({
  ...to,
  driver: to.driver(drivers),
  fleetadmin: to.fleetadmin(fleets),
})

describe('report sums and new changes', { timeout: 120_000 }, () => {
  test('sequential changes -> equal to a recount', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 40 }), async (changes) => {
        for (const one of changes) await carryOut(one)
        expect(await recountReports(city.database)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('concurrent changes -> equal to a recount', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 60 }), async (changes) => {
        const lanes = [0, 1, 2, 3, 4, 5].map(async (lane) => {
          for (const [index, one] of changes.entries()) {
            if (index % 6 === lane) await carryOut(one)
            if (lane === 5 && index % 7 === 0) expect(await recountReports(city.database)).toEqual([])
          }
        })
        await Promise.all(lanes)
        expect(await recountReports(city.database)).toEqual([])
        await foldReports(city.database.pool)
        expect(await query('select from report_deltas')).toEqual([])
        expect(await recountReports(city.database)).toEqual([])
      }),
      { numRuns: 12 },
    )
  })

  test('figures -> follow the domain rule exactly', async () => {
    const rows = await query(
      'select status, trip_cost, convenience_fees, discount_amount, driver_share, cancellation_fee from bookings',
    )
    const all = rows
      .map((row) => earningsOf(row as unknown as Parameters<typeof earningsOf>[0]))
      .reduce(addEarnings, noEarnings)
    const sums = await query(
      `select ${earningFields.map((field) => `sum(${field})::bigint as ${field}`).join()}
        from report_days where scope = '00000000-0000-0000-0000-000000000000'`,
    )
    expect(sums).toEqual([all])
    expect(all.rides).toBeGreaterThan(10)
  })
})

test('report_deltas: trip is driven, paid and rated -> one row', async () => {
  await foldReports(city.database.pool)
  const [rider, driver] = [await city.addRider(), await city.addDriver()]
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  const { commands } = city.bookings
  const byDriver = city.order(driver, booking.id)
  await commands.accept(byDriver)
  await commands.arrive(byDriver)
  await commands.start(byDriver, {})
  await commands.reach(byDriver, {})
  expect(await query('select from report_deltas')).toHaveLength(0)
  const { booking: closed } = await commands.close(byDriver, {})
  await commands.rate(city.order(rider, booking.id), { rating: 5 })
  expect(await query('select driver, rides, trip_cost from report_deltas')).toEqual([
    { driver: driver.id, rides: 1, trip_cost: closed.trip_cost },
  ])
  const { booking: other } = await city.bookings.create(rider, city.request(), null)
  await commands.cancel(city.order(rider, other.id), { reason: 'because' })
  expect(await query('select rides, cancelled, trip_cost from report_deltas order by id')).toEqual([
    { rides: 1, cancelled: 0, trip_cost: closed.trip_cost },
    { rides: 0, cancelled: 1, trip_cost: 0 },
  ])
  expect(await recountReports(city.database)).toEqual([])
})

test('recount: wrong sum -> named', async () => {
  await foldReports(city.database.pool)
  await rebuildReports(city.database, 'UTC')
  expect(await stateOfReports(city.database.pool)).toMatchObject({ timezone: 'UTC' })
  const [row] = await query(
    'update report_drivers set driver_share = driver_share + 1 where ctid = (select min(ctid) from report_drivers) returning *',
  )
  const found = await recountReports(city.database)
  expect(found).toHaveLength(1)
  expect(found[0]?.of).toBe([row?.scope, 'driver', row?.driver, row?.period].join(' '))
  await rebuildReports(city.database, 'UTC')
  expect(await recountReports(city.database)).toEqual([])
})
