import type { Booking } from '@hansom/domain/bookings/booking'
import { addEarnings, type Earnings, earningsOf, noEarnings } from '@hansom/domain/reports/counted'
import { cityDay } from '@hansom/domain/time/city-time'
import type { Pool } from 'pg'
import type { Database } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { allTrips } from './periods.ts'

/** Maximum number of changes folded in one transaction. */
const batchSize = 5_000

/**
 * Folds new changes into the sums in batches; returns their number. Safe to run at any time on several servers: they
 * take turns.
 */
export async function foldReports(pool: Pool): Promise<number> {
  for (let all = 0; ; ) {
    const reply = await pool.query<{ taken: number }>({
      name: 'fold-reports',
      text: 'select fold_reports($1) as taken',
      values: [batchSize],
    })
    const taken = reply.rows[0]?.taken ?? 0
    all += taken
    if (taken < batchSize) return all
  }
}

/** Recalculates everything for a time zone (IANA name), without blocking changes to bookings. */
export function rebuildReports(database: Pick<Database, 'withTransaction'>, timezone: string): Promise<void> {
  return database.withTransaction(async ({ client }) => {
    await client.query('set local statement_timeout = 0')
    await client.query('select rebuild_reports($1)', [timezone])
  })
}

/** The time zone of the sums. */
export async function zoneOfReports(pool: Pool): Promise<string> {
  const reply = await pool.query<{ timezone: string }>('select timezone from report_state')
  const row = reply.rows[0]
  if (row === undefined) throw new Error('report time zone is not set')
  return row.timezone
}

/** A sum that differs from the bookings. `sum` and `recounted` are null where that side has no row. */
export interface Difference {
  of: string
  sum: string | null
  recounted: string | null
}

type Row = Pick<
  Booking,
  | 'status'
  | 'tripdate'
  | 'driver'
  | 'fleetadmin'
  | 'trip_cost'
  | 'convenience_fees'
  | 'discount_amount'
  | 'driver_share'
>

const recountBatch = 20_000

/**
 * Counts every booking by the domain rule and compares the result with the sums and new changes, in one database
 * snapshot. Returns at most `most` differences; none if all is well. Reads every booking.
 */
export async function recountReports(
  database: Pick<Database, 'withTransaction'>,
  most = 100,
): Promise<Difference[]> {
  const { recounted, sums } = await database.withTransaction(
    async (tx) => {
      await tx.client.query(
        'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
      )
      return { recounted: await countBookings(tx), sums: await readSums(tx) }
    },
    { isolation: 'repeatable read' },
  )
  const keys = [...new Set([...sums.keys(), ...recounted.keys()])]
  return keys
    .filter((of) => sums.get(of) !== recounted.get(of))
    .slice(0, most)
    .map((of) => ({ of, sum: sums.get(of) ?? null, recounted: recounted.get(of) ?? null }))
}

/** The sums by key, as texts that are equal if the figures are. */
async function countBookings({ client }: Transaction): Promise<Map<string, string>> {
  const zone = await client.query<{ timezone: string }>('select timezone from report_state')
  const dayOf = daysOfZone(zone.rows[0]?.timezone ?? 'UTC')
  const sums = new Map<string, Earnings>()
  const add = (key: string, earnings: Earnings) =>
    sums.set(key, addEarnings(sums.get(key) ?? noEarnings, earnings))
  await client.query(
    `declare recounted no scroll cursor for select status, tripdate, driver, fleetadmin, trip_cost, convenience_fees,
      discount_amount, driver_share from trip_figures`,
  )
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${recountBatch} from recounted`)
    if (rows.length === 0) break
    for (const row of rows) {
      const earnings = earningsOf(row)
      if (earnings.rides === 0 && earnings.cancelled === 0) continue
      const day = dayOf(row.tripdate)
      for (const scope of [allTrips, ...(row.fleetadmin === null ? [] : [row.fleetadmin])]) {
        add(`${scope} day ${day}`, earnings)
        if (earnings.rides === 0 || row.driver === null) continue
        const ofDriver = { ...noEarnings, rides: earnings.rides, driver_share: earnings.driver_share }
        const month = Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7))
        for (const period of [0, Math.floor(month / 100), month])
          add(`${scope} driver ${row.driver} ${period}`, ofDriver)
      }
    }
  }
  await client.query('close recounted')
  return new Map([...sums].map(([key, earnings]) => [key, textOf(earnings)]))
}

/** The calendar day of a time. Days in all zones start at quarter hours, so times within one share a day. */
function daysOfZone(timezone: string): (time: number) => string {
  const known = new Map<number, string>()
  return (time) => {
    const quarter = Math.floor(time / 900_000)
    const day = known.get(quarter) ?? cityDay(time, timezone)
    known.set(quarter, day)
    return day
  }
}

async function readSums({ client }: Transaction): Promise<Map<string, string>> {
  const days = await client.query<Earnings & { key: string }>(
    `select scope || ' day ' || day as key, sum(rides)::bigint as rides, sum(cancelled)::bigint as cancelled,
        sum(trip_cost)::bigint as trip_cost, sum(convenience_fees)::bigint as convenience_fees,
        sum(discount_amount)::bigint as discount_amount, sum(driver_share)::bigint as driver_share
      from (select * from report_days
        union all select s.scope, report_day(tripdate, timezone), rides, cancelled, trip_cost, convenience_fees,
            discount_amount, driver_share
          from report_deltas d, report_state, lateral (values ($1::uuid), (d.fleetadmin)) s(scope)
          where s.scope is not null) both_kinds
      group by 1`,
    [allTrips],
  )
  const drivers = await client.query<Pick<Earnings, 'rides' | 'driver_share'> & { key: string }>(
    `select scope || ' driver ' || driver || ' ' || period as key, sum(rides)::bigint as rides,
        sum(driver_share)::bigint as driver_share
      from (select scope, driver, period, rides, driver_share from report_drivers
        union all select s.scope, driver, g.period, rides, driver_share
          from report_deltas d, report_state, lateral (values ($1::uuid), (d.fleetadmin)) s(scope),
            report_grains(report_day(tripdate, timezone)) g
          where s.scope is not null and driver is not null) both_kinds
      group by 1`,
    [allTrips],
  )
  const all = [...days.rows, ...drivers.rows.map((row) => ({ ...noEarnings, ...row }))]
  const texts = all.map(({ key, ...sum }): [string, string] => [key, textOf(sum)])
  // Sums that returned to zero count as missing.
  return new Map(texts.filter(([, text]) => text !== textOf(noEarnings)))
}

function textOf(sum: Earnings): string {
  return [
    sum.rides,
    sum.cancelled,
    sum.trip_cost,
    sum.convenience_fees,
    sum.discount_amount,
    sum.driver_share,
  ].join(' ')
}
