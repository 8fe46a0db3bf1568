import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Person } from '@hansom/domain/access/relation'
import { defaultSettings } from '@hansom/domain/settings/settings'
import type { Pool } from 'pg'
import { createReportsService, type ReportsService } from '../apps/server/src/features/reports/service.ts'
import { manualClock } from '../apps/server/src/platform/clock/manual-clock.ts'
import { connectDatabase, type Database } from '../apps/server/src/platform/database/database.ts'
import { startEmbeddedServer } from '../apps/server/src/platform/database/embedded-server.ts'
import { embeddedUser } from '../apps/server/src/platform/database/init-data-folder.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'
import { silentLog } from '../apps/server/src/platform/log/log.ts'
import { seedCity } from './reports/seed.ts'

/**
 * Dashboard and reports of a city with 1,000,000 bookings, 50,000 people and 2,000 changes that are not in the sums yet,
 * through the service. The peer is the same figure counted from the bookings by one statement on the same server; both
 * must be the same to the last digit. Milliseconds, the median of many; `worst` is the slowest of ours.
 */
export interface ReportsLine {
  job: string
  unit: string
  ours: number
  peer: number
  peer_name: string
  ratio: number
  worst: number
}

const size = { bookings: 1_000_000, riders: 39_700, drivers: 10_000, fleets: 300 }
const newChanges = 2_000
const now = Date.parse('2026-11-21T15:00:00Z')
const zone = 'America/Montevideo'
const admin: Person = { id: '01890000-0000-7000-8000-00000000ad00', usertype: 'admin' }
const fleet: Person = { id: '01890000-0000-7000-8001-000000000007', usertype: 'fleetadmin' }

export async function run(): Promise<ReportsLine[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hansom-bench-'))
  const server = await startEmbeddedServer({ dataDir })
  const open = (database: string) =>
    connectDatabase(
      {
        connection: { host: server.socketFolder, user: embeddedUser, max: 4, database, statement_timeout: 0 },
        description: database,
        exclusive: true,
      },
      silentLog(),
    )
  const maintenance = open('postgres')
  await maintenance.pool.query('create database bench')
  await maintenance.close()
  const database = open('bench')
  try {
    await migrate(database)
    await seedCity(database.pool, size, now)
    return await measure(database)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measure(database: Database): Promise<ReportsLine[]> {
  const { pool } = database
  const service = createReportsService({
    database,
    log: silentLog(),
    clock: manualClock(now),
    settings: { current: async () => ({ ...defaultSettings, timezone: zone, version: 1 }) },
  })
  await changeSome(pool)
  const lines: ReportsLine[] = []
  for (const report of reportsOf(service)) lines.push(await compare(pool, report))
  const different = await service.recount()
  if (different.length > 0) throw new Error(`the sums differ from a recount: ${JSON.stringify(different[0])}`)
  return lines
}

/** Trips that are paid, rated, and cancelled now: not in the sums yet. */
async function changeSome(pool: Pool): Promise<void> {
  await pool.query(
    `update bookings set status = 'CANCELLED', cancelled_by = 'admin' where id in (
      select id from bookings where status = 'COMPLETE' order by tripdate desc limit $1)`,
    [newChanges / 2],
  )
}

interface Report {
  job: string
  ours(): Promise<unknown>
  /** The same figure by one statement over the bookings, as text that is equal when the figures are. */
  counted: string
  values?: unknown[]
  /** Both as such texts. */
  told(answer: never): string
}

const day = `(to_timestamp(tripdate / 1000.0) at time zone '${zone}')::date`
const driven = `status in ('PAID', 'COMPLETE')`

function reportsOf(service: ReportsService): Report[] {
  const dashboard = (who: Person, where: string): Pick<Report, 'ours' | 'counted' | 'told'> => ({
    ours: () => service.dashboard(who),
    // All bookings once, by day and status; the figures are then made of some thousand rows.
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
          select day, sum(fee) as fee from earning where day > $1::date - 30 and day <= $1::date group by day) d)) as told`,
    told: ({ earnings, statuses, days }: Awaited<ReturnType<ReportsService['dashboard']>>) =>
      [
        ...[...statuses].sort((a, b) => (a.status < b.status ? -1 : 1)).map(({ count }) => count),
        earnings.today.convenienceFee,
        earnings.month.convenienceFee,
        earnings.total.convenienceFee,
        ...days.filter(({ trips }) => trips > 0).map(({ convenienceFee }) => convenienceFee),
      ].join(' '),
  })
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
  const dashboardValues = ['2026-11-21', statuses]
  const page =
    (sort: string, more: object = {}) =>
    () =>
      service.drivers(admin, { sort, limit: 100, ...more })
  const rows = ({ items }: Awaited<ReturnType<ReportsService['drivers']>>) =>
    items.map(({ driver, total_rides, driverShare }) => `${driver} ${total_rides} ${driverShare}`).join('\n')
  const drivers = (by: string, order: string, where = 'true') =>
    `select string_agg(driver || ' ' || rides || ' ' || share, e'\\n') as told from (
      select ${by} as period, driver, count(*) as rides, sum(driver_share) as share from bookings
        where ${driven} and ${where} group by 1, 2 order by ${order} limit 100) page`
  return [
    { job: 'reports-dashboard', ...dashboard(admin, 'true'), values: dashboardValues },
    {
      job: 'reports-dashboard-fleet',
      ...dashboard(fleet, `fleetadmin = '${fleet.id}'`),
      values: dashboardValues,
    },
    {
      job: 'reports-earnings',
      ours: () => service.earnings({}),
      counted: `select string_agg(concat_ws(' ', rides, cost, fee, discount), e'\\n' order by month desc) as told from (
        select date_trunc('month', ${day}) as month, count(*) as rides, sum(trip_cost) as cost,
          sum(convenience_fees) as fee, sum(discount_amount) as discount from bookings where ${driven} group by 1) m`,
      told: ({ items }: Awaited<ReturnType<ReportsService['earnings']>>) =>
        items
          .map((row) => [row.total_rides, row.tripCost, row.convenienceFee, row.discountAmount].join(' '))
          .join('\n'),
    },
    {
      job: 'reports-drivers-by-month',
      ours: page('-period'),
      counted: drivers(`date_trunc('month', ${day})`, 'period desc, share desc, driver desc'),
      told: rows,
    },
    {
      job: 'reports-drivers-by-share',
      ours: page('-driverShare'),
      counted: drivers(`date_trunc('month', ${day})`, 'share desc, period desc, driver desc'),
      told: rows,
    },
    {
      job: 'reports-drivers-all-time',
      ours: page('-driverShare', { by: 'driver' }),
      counted: drivers('0', 'share desc, driver desc'),
      told: rows,
    },
    {
      job: 'reports-driver-totals',
      ours: () => service.driverTotals(admin, { by: 'month' }),
      counted: `select string_agg(rides || ' ' || share, e'\\n' order by month desc) as told from (
        select date_trunc('month', ${day}) as month, count(*) as rides, sum(driver_share) as share
          from bookings where ${driven} group by 1) m`,
      told: (totals: Awaited<ReturnType<ReportsService['driverTotals']>>) =>
        totals.map(({ total_rides, driverShare }) => `${total_rides} ${driverShare}`).join('\n'),
    },
  ]
}

async function compare(pool: Pool, { job, ours, counted, values = [], told }: Report): Promise<ReportsLine> {
  const count = async () => (await pool.query<{ told: string }>(counted, values)).rows[0]?.told
  const [answer, truth] = [told((await ours()) as never), await count()]
  if (answer !== truth)
    throw new Error(`${job}: ${answer.slice(0, 200)}\nis counted as\n${truth?.slice(0, 200)}`)
  const times = { ours: [] as number[], peer: [] as number[] }
  for (let round = 0; round < 3; round++) {
    times.peer.push(await timed(count))
    for (let time = 0; time < 20; time++) times.ours.push(await timed(ours))
  }
  const [mine, peer] = [median(times.ours), median(times.peer)]
  return {
    job,
    unit: 'ms',
    ours: rounded(mine),
    peer: rounded(peer),
    peer_name: `counted from ${size.bookings.toLocaleString('en')} bookings`,
    ratio: rounded(peer / mine),
    worst: rounded(Math.max(...times.ours)),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number
}

const rounded = (value: number) => Math.round(value * 100) / 100

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const line of await run()) console.log(JSON.stringify(line))
