import { pathToFileURL } from 'node:url'
import type { Actor } from '@hansom/domain/access/relation'
import { defaultSettings } from '@hansom/domain/settings/settings'
import type { Pool } from 'pg'
import { createReportsService, type ReportsService } from '../apps/server/src/features/reports/service.ts'
import { allTrips } from '../apps/server/src/features/reports/store/periods.ts'
import { stateOfReports } from '../apps/server/src/features/reports/store/sums.ts'
import { manualClock } from '../apps/server/src/platform/clock/manual-clock.ts'
import type { Database } from '../apps/server/src/platform/database/database.ts'
import { silentLog } from '../apps/server/src/platform/log/log.ts'
import type { Line } from './limits.ts'
import { openSeededDatabase } from './seeded-database.ts'

/**
 * Dashboard and reports of a city with 1,000,000 bookings, 50,000 users and 1,000 changes not yet in the sums, through
 * the service. The peer is the same figure counted from the bookings by one statement on the same server; both must be
 * exactly equal. Milliseconds, the median of many; `worst` is our slowest.
 */
export interface ReportsLine extends Line {
  worst: number
}

const changed = 250

export async function run(): Promise<ReportsLine[]> {
  const { database, close } = await openSeededDatabase()
  try {
    return await measure(database)
  } finally {
    await close()
  }
}

async function measure(database: Database): Promise<ReportsLine[]> {
  const { pool } = database
  const { timezone } = await stateOfReports(pool)
  const service = createReportsService({
    maps: { address: async () => null },
    database,
    log: silentLog(),
    clock: manualClock(Date.now()),
    settings: { current: async () => ({ ...defaultSettings, timezone, version: 1 }) },
  })
  await service.fold()
  const city = { timezone, fleet: await largestFleet(pool), bookings: await countBookings(pool) }
  await changeSome(pool)
  const lines: ReportsLine[] = []
  for (const report of await reportsOf(service, city)) lines.push(await compare(pool, city, report))
  const different = await service.recount()
  if (different.length > 0) throw new Error(`the sums differ from a recount: ${JSON.stringify(different[0])}`)
  await service.fold()
  return lines
}

interface City {
  timezone: string
  fleet: Actor
  bookings: number
}

async function largestFleet(pool: Pool): Promise<Actor> {
  const reply = await pool.query<{ scope: string }>(
    'select scope from report_days where scope <> $1 group by scope order by sum(rides) desc limit 1',
    [allTrips],
  )
  return { id: reply.rows[0]?.scope ?? allTrips, role: 'fleetadmin', approved: true }
}

async function countBookings(pool: Pool): Promise<number> {
  return (
    (await pool.query<{ count: number }>('select count(*)::int as count from bookings')).rows[0]?.count ?? 0
  )
}

/** Changes trips and reverts the changes: the city is unchanged, but the sums do not include the changes yet. */
async function changeSome(pool: Pool): Promise<void> {
  const trips = await pool.query<{ id: string }>(
    `select id from bookings where status = 'COMPLETE' and discount_amount < trip_cost order by tripdate desc limit $1`,
    [changed],
  )
  const ids = trips.rows.map(({ id }) => id)
  await pool.query('update bookings set discount_amount = discount_amount + 1 where id = any($1)', [ids])
  await pool.query('update bookings set discount_amount = discount_amount - 1 where id = any($1)', [ids])
}

interface Report {
  job: string
  ours(): Promise<unknown>
  /** Our figure as text that is equal when the figures are. */
  text(): Promise<string>
  /** The same text, calculated from the bookings by one statement. */
  counted: string
  values?: unknown[]
}

/** A report of `ours`; `formatted` formats our figure as the text that `counted` gives. */
function report<T>({
  ours,
  formatted,
  ...rest
}: Omit<Report, 'ours' | 'text'> & { ours(): Promise<T>; formatted(answer: T): string }): Report {
  return { ...rest, ours, text: async () => formatted(await ours()) }
}

const driven = `status in ('PAID', 'COMPLETE')`
const admin: Actor = { id: allTrips, role: 'admin', approved: true }

async function reportsOf(service: ReportsService, { timezone, fleet }: City): Promise<Report[]> {
  const day = `(to_timestamp(tripdate / 1000.0) at time zone '${timezone}')::date`
  const { today } = await service.dashboard(admin)
  const statuses = [
    'ACCEPTED',
    'ARRIVED',
    'CANCELLED',
    'COMPLETE',
    'NEW',
    'PAID',
    'PAYMENT_PENDING',
    'PENDING',
    'REACHED',
    'STARTED',
  ]
  const dashboardValues = [today, statuses]
  const dashboard = (job: string, who: Actor, where: string) =>
    report({
      job,
      values: dashboardValues,
      ours: () => service.dashboard(who),
      // Groups all bookings once by day and status; the figures are calculated from some thousand rows.
      counted: `with days as materialized (
        select ${day} as day, status, count(*) as n, sum(convenience_fees) as fee from bookings where ${where} group by 1, 2),
      earning as (select * from days where ${driven})
      select concat_ws(' ',
        (select string_agg(coalesce(n, 0)::text, ' ' order by name) from unnest($2::text[]) name
          left join (select status, sum(n) as n from days group by status) s on s.status = name),
        (select concat_ws(' ', coalesce(sum(fee) filter (where day = $1::date), 0),
          coalesce(sum(fee) filter (where date_trunc('month', day) = date_trunc('month', $1::date)), 0),
          coalesce(sum(fee), 0)) from earning),
        (select string_agg(fee::text, ' ' order by day) from (
          select day, sum(fee) as fee from earning where day > $1::date - 30 and day <= $1::date group by day) d)) as formatted`,
      formatted: ({ earnings, statuses, days }) =>
        [
          ...[...statuses].sort((a, b) => (a.status < b.status ? -1 : 1)).map(({ count }) => count),
          earnings.today.convenienceFee,
          earnings.month.convenienceFee,
          earnings.total.convenienceFee,
          ...days.filter(({ trips }) => trips > 0).map(({ convenienceFee }) => convenienceFee),
        ].join(' '),
    })
  const operations = (days: number) => {
    const from = new Date(Date.parse(today) - (days - 1) * 86_400_000).toISOString().slice(0, 10)
    return report({
      job: `reports-operations-${days}`,
      values: [from, today],
      ours: () => service.operations(admin, { from, to: today }),
      counted: `select string_agg(concat_ws(' ', hour, bookings, completed, pickup), e'\\n' order by hour) as formatted from (
        select extract(hour from to_timestamp(tripdate / 1000.0) at time zone '${timezone}')::int as hour, count(*) as bookings,
            count(*) filter (where status <> 'CANCELLED') as completed,
            percentile_disc(0.5) within group (order by case when not book_later and driver_arrive_time is not null
              then greatest(0, driver_arrive_time - booking_date) end) as pickup
          from bookings where status in ('PENDING', 'PAID', 'COMPLETE', 'CANCELLED') and ${day} between $1::date and $2::date
          group by 1) h`,
      formatted: ({ hours }) =>
        hours
          .map(({ hour, bookings, outcomes, pickupS }) =>
            [
              hour,
              bookings,
              outcomes.completed,
              ...(pickupS ? [Math.round(pickupS.median * 1000)] : []),
            ].join(' '),
          )
          .join('\n'),
    })
  }
  const page =
    (sort: string, more: object = {}) =>
    () =>
      service.drivers(admin, { sort, limit: 100, ...more })
  const rows = ({ items }: Awaited<ReturnType<ReportsService['drivers']>>) =>
    items.map(({ driver, total_rides, driverShare }) => `${driver} ${total_rides} ${driverShare}`).join('\n')
  const drivers = (by: string, order: string, where = 'true') =>
    `select string_agg(driver || ' ' || rides || ' ' || share, e'\\n') as formatted from (
      select ${by} as period, driver, count(*) as rides, sum(driver_share) as share from bookings
        where ${driven} and ${where} group by 1, 2 order by ${order} limit 100) page`
  return [
    dashboard('reports-dashboard', admin, 'true'),
    dashboard('reports-dashboard-fleet', fleet, `fleetadmin = '${fleet.id}'`),
    report({
      job: 'reports-earnings',
      ours: () => service.earnings({}),
      counted: `select string_agg(concat_ws(' ', rides, cost, fee, discount), e'\\n' order by month desc) as formatted from (
        select date_trunc('month', ${day}) as month, count(*) as rides, sum(trip_cost) as cost,
          sum(convenience_fees) as fee, sum(discount_amount) as discount from bookings where ${driven} group by 1) m`,
      formatted: ({ items }) =>
        items
          .map((row) => [row.total_rides, row.tripCost, row.convenienceFee, row.discountAmount].join(' '))
          .join('\n'),
    }),
    ...[7, 30, 92].map(operations),
    report({
      job: 'reports-drivers-by-month',
      ours: page('-period'),
      counted: drivers(`date_trunc('month', ${day})`, 'period desc, share desc, driver desc'),
      formatted: rows,
    }),
    report({
      job: 'reports-drivers-by-share',
      ours: page('-driverShare'),
      counted: drivers(`date_trunc('month', ${day})`, 'share desc, period desc, driver desc'),
      formatted: rows,
    }),
    report({
      job: 'reports-drivers-all-time',
      ours: page('-driverShare', { by: 'driver' }),
      counted: drivers('0', 'share desc, driver desc'),
      formatted: rows,
    }),
    report({
      job: 'reports-driver-totals',
      ours: () => service.driverTotals(admin, { by: 'month' }),
      counted: `select string_agg(rides || ' ' || share, e'\\n' order by month desc) as formatted from (
        select date_trunc('month', ${day}) as month, count(*) as rides, sum(driver_share) as share
          from bookings where ${driven} group by 1) m`,
      formatted: (totals) =>
        totals.map(({ total_rides, driverShare }) => `${total_rides} ${driverShare}`).join('\n'),
    }),
  ]
}

async function compare(
  pool: Pool,
  city: City,
  { job, ours, text, counted, values = [] }: Report,
): Promise<ReportsLine> {
  const client = await pool.connect()
  await client.query('set statement_timeout = 0')
  const count = async () => (await client.query<{ formatted: string }>(counted, values)).rows[0]?.formatted
  const [answer, truth] = [await text(), await count()]
  if (answer !== truth) throw new Error(`${job}: ${answer.slice(0, 200)}\ncounted:\n${truth?.slice(0, 200)}`)
  const times = { ours: [] as number[], peer: [] as number[] }
  for (let round = 0; round < 3; round++) {
    times.peer.push(await timed(count))
    for (let time = 0; time < 20; time++) times.ours.push(await timed(ours))
  }
  // Closing the connection drops its settings.
  client.release(true)
  const [mine, peer] = [median(times.ours), median(times.peer)]
  return {
    job,
    unit: 'ms',
    ours: rounded(mine),
    peer: rounded(peer),
    peer_name: `counted from ${city.bookings.toLocaleString('en')} bookings`,
    ratio: rounded(peer / mine),
    worst: rounded(Math.max(...times.ours)),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number
}

const rounded = (value: number) => Math.round(value * 100) / 100

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const line of await run()) console.log(JSON.stringify(line))
