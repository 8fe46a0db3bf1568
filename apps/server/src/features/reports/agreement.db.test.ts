import type { EarningPeriodView } from '@hansom/contract/earnings'
import type {
  DashboardView,
  DriverEarning,
  DriverTotal,
  EarningRow,
  EarningSums,
  OperationsView,
} from '@hansom/contract/reports'
import type { TableCount } from '@hansom/contract/tables'
import type { Booking } from '@hansom/domain/bookings/booking'
import { countedStatuses } from '@hansom/domain/reports/counted'
import { type Outcome, outcomeOf, outcomes } from '@hansom/domain/reports/operations'
import { cityDay } from '@hansom/domain/time/city-time'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger } from '../ledger-check/check-ledger.ts'
import { type AnyTrip, anyTrip, createTripWorld, endings, type TripWorld } from './whole-trips.fixture.ts'

let world: TripWorld
beforeAll(async () => {
  world = await createTripWorld()
})
afterAll(() => world.app.close())

const rows = async <Row>(text: string, values: unknown[] = []) =>
  (await world.app.database.pool.query(text, values)).rows as Row[]
const dashboard = (user: string) => world.call<DashboardView>(user, 'GET', '/reports/dashboard')
const sums = async (user: string, filters: Record<string, string>) => {
  const query = new URLSearchParams({ ...filters, sums: 'true' })
  const { count, more, sums } = await world.call<TableCount>(user, 'GET', `/bookings/count?${query}`)
  expect(more).toBe(false)
  return { count, sums: sums ?? {} }
}

/** The figures of the bookings table for some days, in the words of the dashboard. */
async function ofBookings(user: string, days?: string) {
  const of = { ...(days && { tripdate: `${days}..${days}` }) }
  const paid = await sums(user, { ...of, status: countedStatuses.join() })
  const cancelled = await sums(user, { ...of, status: 'CANCELLED' })
  return {
    trips: paid.count,
    cancelled: cancelled.count,
    tripCost: paid.sums.trip_cost,
    convenienceFee: paid.sums.convenience_fees,
    driverShare: paid.sums.driver_share,
    cancellationFees: cancelled.sums.cancellation_fee,
    ...(user === 'admin' && { discountAmount: paid.sums.discount_amount }),
  }
}

/** Σ of the legs of an account; by day in the city where `day` is given. */
async function ledger(account: string, day: string | null = null, kinds: readonly string[] | null = null) {
  const legs = await rows<{ at: number; kind: string; amount: number }>(
    `select e.at, e.kind, l.amount from ledger_legs l join ledger_entries e on e.id = l.entry_id where l.account = $1`,
    [account],
  )
  return legs
    .filter(
      ({ at, kind }) =>
        (day === null || cityDay(at, 'America/Montevideo') === day) && (kinds?.includes(kind) ?? true),
    )
    .reduce((sum, { amount }) => sum + amount, 0)
}

type Ended = Pick<Booking, 'status' | 'cancelledBy' | 'reason'> & {
  id: string
  booked: number
  arrived: number | null
  accepts: number[]
  requests: number
}

/** The operator's figures, counted from the bookings and the commands that were given on them. */
async function expectOperations(user: string, fleet: string | null): Promise<void> {
  const to = cityDay(world.clock.now(), 'America/Montevideo')
  const view = await world.call<OperationsView>(user, 'GET', `/reports/operations?from=2026-11-03&to=${to}`)
  const ended = await rows<Ended>(
    `select b.id, b.status, b.cancelled_by as "cancelledBy", b.reason, b.booking_date as booked,
        b.driver_arrive_time as arrived,
        array(select at from booking_events where booking_id = b.id and command = 'accept' order by at) as accepts,
        (select count(*)::int from booking_events where booking_id = b.id and command = 'assign_driver') as requests
      from bookings b where b.status in ('PENDING', 'PAID', 'COMPLETE', 'CANCELLED')
        and ($1::uuid is null or b.fleetadmin = $1)`,
    [fleet],
  )
  // A fleet's bookings were also offered to drivers of other fleets, whom it does not see.
  const requested = fleet === null ? ended : []
  const offered = requested.filter(({ requests }) => requests > 0)
  const times = (all: number[]) => {
    const sorted = all.sort((one, other) => one - other)
    const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1000
    return sorted.length === 0 ? null : { median: at(0.5), p90: at(0.9) }
  }
  const sum = (all: number[]) => all.reduce((total, one) => total + one, 0)
  expect(view.total).toEqual({
    bookings: ended.length,
    outcomes: Object.fromEntries(
      outcomes.map((one: Outcome) => [one, ended.filter((booking) => outcomeOf(booking) === one).length]),
    ),
    offers: sum(requested.map(({ requests }) => requests)),
    acceptances: sum(requested.map(({ accepts }) => accepts.length)),
    offered: offered.length,
    accepted: offered.filter(({ accepts }) => accepts.length > 0).length,
    acceptS: times(ended.flatMap(({ accepts, booked }) => accepts.slice(0, 1).map((at) => at - booked))),
    pickupS: times(ended.flatMap(({ arrived, booked }) => (arrived === null ? [] : [arrived - booked]))),
  })
}

async function expectAgreement(): Promise<void> {
  await expectOperations('admin', null)
  await expectOperations('fleet', world.fleet)
  expect(await world.app.services.reports.recount()).toEqual([])
  expect((await checkLedger(world.app.database.pool)).differences).toEqual([])
  const view = await dashboard('admin')
  const { total } = view.earnings

  // Bookings: in total, by day, and for the fleet.
  expect(total).toMatchObject(await ofBookings('admin'))
  for (const day of view.days.filter(({ trips, cancelled }) => trips + cancelled > 0))
    expect(day).toMatchObject(await ofBookings('admin', day.day))
  const fleet = await dashboard('fleet')
  expect(fleet.earnings.total).toMatchObject(await ofBookings('fleet'))
  for (const day of fleet.days.filter(({ trips, cancelled }) => trips + cancelled > 0))
    expect(day).toMatchObject(await ofBookings('fleet', day.day))

  // The ledger: the net, apart from the discounts of prepaid trips in progress.
  const [reserved] = await rows<{ sum: number }>(
    `select coalesce(sum(discount_amount), 0)::bigint as sum from bookings
      where prepaid and status not in ('PAID', 'COMPLETE', 'CANCELLED')`,
  )
  expect((await ledger('platform')) + (await ledger('promo')) + (reserved?.sum ?? 0)).toBe(total.net)
  expect(await ledger('bonus')).toBe(-(total.bonuses ?? 0))
  expect(await ledger('adjustment')).toBe(-(total.credits ?? 0))
  expect(await ledger('refund')).toBe(total.openRefunds)
  for (const day of view.days)
    expect(await ledger('platform', day.day, ['write_off', 'objection_decided'])).toBe(
      -(day.writeOffs ?? 0) + 0,
    )

  // The reports: the sum of the months is the dashboard.
  const report = await world.call<{ items: EarningRow[]; total: EarningSums }>(
    'admin',
    'GET',
    '/reports/earnings',
  )
  const { trips, driversEarned, ...figures } = total
  expect(report.total).toMatchObject({ ...figures, total_rides: trips })
  for (const name of [
    'net',
    'profit',
    'driverShare',
    'cancellationFees',
    'writeOffs',
    'platformRefunds',
  ] as const)
    expect(report.items.reduce((sum, row) => sum + row[name], 0)).toBe(total[name])

  // The drivers: their own page, the report, and their wallet.
  const { items } = await world.call<{ items: DriverEarning[] }>('admin', 'GET', '/reports/drivers?by=driver')
  const ofAll = { driverShare: 0, cancellationFees: 0, bonus: 0, refund: 0, earned: 0 }
  for (const { id, name } of world.drivers) {
    const own = (await world.call<EarningPeriodView>(name, 'GET', '/me/earnings?by=month')).total
    const { driverShare, cancellationFee, bonus, refund, earned, trips: rides, toWallet } = own
    const listed = items.find(({ driver }) => driver === id)
    const expected = {
      total_rides: rides,
      driverShare,
      cancellationFees: cancellationFee,
      bonus,
      refund,
      earned,
    }
    expect(listed ?? { ...ofAll, total_rides: 0 }).toMatchObject(expected)
    for (const part of Object.keys(ofAll) as (keyof typeof ofAll)[]) ofAll[part] += listed?.[part] ?? 0
    expect(await ledger(`user:${id}`)).toBe(toWallet)
  }
  const [sum] = await world.call<DriverTotal[]>('admin', 'GET', '/reports/drivers/totals?by=driver')
  if (items.length > 0) expect(sum).toMatchObject(ofAll)
  expect(ofAll.driverShare + ofAll.cancellationFees).toBe(
    total.driverShare + total.cancellationFees - total.waiting,
  )
  expect([ofAll.refund, ofAll.earned]).toEqual([total.driverRefunds, driversEarned])
  const [ofFleet] = await world.call<DriverTotal[]>('fleet', 'GET', '/reports/drivers/totals?by=driver')
  const { waiting, driverRefunds, ...ofTrips } = fleet.earnings.total
  if (ofFleet)
    expect([ofFleet.driverShare + ofFleet.cancellationFees, ofFleet.refund]).toEqual([
      ofTrips.driverShare + ofTrips.cancellationFees - waiting,
      driverRefunds,
    ])
}

/** Every ending, with refunds by both bearers in every state, and every end of a dispute. */
const everyKind: AnyTrip[] = endings.map((ending, at) => ({
  ending,
  promo: at % 2 === 0,
  driver: at % 3,
  rated: true,
  hours: 1,
  refund: ending.startsWith('cash')
    ? { bearer: at % 2 === 0 ? 'platform' : 'driver', percent: 40, end: 'done' }
    : null,
  dispute: 'lost',
  credit: false,
  waived: false,
}))
everyKind.push(
  ...(['open', 'won', 'appealed'] as const).map((dispute) => ({ ...(everyKind[8] as AnyTrip), dispute })),
  ...(['done', 'failed', 'pending'] as const).map((end) => ({
    ...(everyKind[8] as AnyTrip),
    refund: { bearer: 'platform' as const, percent: 30, end },
  })),
  { ...(everyKind[12] as AnyTrip), driver: 0 },
)

describe('agreement of all figures', { timeout: 240_000 }, () => {
  test('any trips, refunds, write-offs and disputes -> dashboard, reports, bookings, drivers and ledger agree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTrip, { minLength: 4, maxLength: 9 }), async (trips) => {
        for (const trip of trips) await world.travel(trip)
        await expectAgreement()
        await world.app.services.reports.fold()
        await world.endOpenTrips()
        await expectAgreement()
      }),
      { numRuns: 4, endOnFailure: true, examples: [[everyKind]] },
    )
    await world.app.services.reports.rebuild()
    await expectAgreement()
    const { earnings } = await dashboard('admin')
    for (const [name, figure] of Object.entries(earnings.total)) expect([name, figure]).not.toEqual([name, 0])
  })
})
