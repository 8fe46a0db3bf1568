import type { Booking } from '@hansom/domain/bookings/booking'
import {
  addEarnings,
  driverPartsOf,
  driversEarned,
  type Earnings,
  earningFields,
  earningsOf,
  movementOf,
  noEarnings,
  refundFiguresOf,
  waitingOf,
} from '@hansom/domain/reports/counted'
import { cityDay } from '@hansom/domain/time/city-time'
import type { Database } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { allTrips } from './periods.ts'

/** A sum that differs from the records. `sum` and `recounted` are null where that side has no row. */
export interface Difference {
  of: string
  sum: string | null
  recounted: string | null
}

/**
 * Counts every booking, due, refund and entry by the domain rules and compares the result with the sums and new changes,
 * in one database snapshot. Returns at most `most` differences; none if all is well. Reads every record.
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
      return { recounted: await countRecords(tx), sums: await readSums(tx) }
    },
    { isolation: 'repeatable read' },
  )
  const keys = [...new Set([...sums.keys(), ...recounted.keys()])]
  return keys
    .filter((of) => sums.get(of) !== recounted.get(of))
    .slice(0, most)
    .map((of) => ({ of, sum: sums.get(of) ?? null, recounted: recounted.get(of) ?? null }))
}

interface Place {
  at: number
  driver: string | null
  fleetadmin: string | null
}

/** Every source of figures: its statement, and the domain rule for a row. */
const sources = [
  source<
    Pick<
      Booking,
      'status' | 'trip_cost' | 'convenience_fees' | 'discount_amount' | 'driver_share' | 'cancellation_fee'
    >
  >(
    `select tripdate as at, driver, fleetadmin, status, trip_cost, convenience_fees, discount_amount, driver_share,
      cancellation_fee from trip_figures`,
    earningsOf,
  ),
  source<Parameters<typeof waitingOf>[0] & Parameters<typeof waitingOf>[1]>(
    `select b.tripdate as at, b.driver, b.fleetadmin, b.status, d.open, d.waived
      from booking_dues d join trip_figures b on b.id = d.booking`,
    (row) => waitingOf(row, row),
  ),
  source<Parameters<typeof refundFiguresOf>[0]>(
    `select r.at, r.driver, b.fleetadmin, r.bearer, r.state, r.amount, r.fee, r.ended_at
      from refund_records r left join trip_figures b on b.id = r.booking`,
    refundFiguresOf,
  ),
  source<Parameters<typeof movementOf>[0] & Parameters<typeof movementOf>[1]>(
    `select e.at, l.user_id as driver, case when l.account = 'platform' then b.fleetadmin end as fleetadmin, e.kind,
        l.account, l.amount, coalesce(u.usertype = 'driver', false) as "isDriver"
      from ledger_records e join ledger_lines l on l.entry_id = e.id left join user_roles u on u.id = l.user_id
        left join trip_figures b on b.id = e.booking`,
    (row) => movementOf(row, row),
  ),
] as const

/** A source whose rows, read from the database, are of the type that the rule expects. */
function source<T>(text: string, figures: (row: T) => Earnings) {
  return { text, figures: (row: Place) => figures(row as Place & T) }
}

const recountBatch = 20_000

/** The sums by key, as texts that are equal if the figures are. */
async function countRecords({ client }: Transaction): Promise<Map<string, string>> {
  const zone = await client.query<{ timezone: string }>('select timezone from report_state')
  const dayOf = daysOfZone(zone.rows[0]?.timezone ?? 'UTC')
  const sums = new Map<string, Earnings>()
  const add = (key: string, earnings: Earnings) =>
    sums.set(key, addEarnings(sums.get(key) ?? noEarnings, earnings))
  const count = ({ at, driver, fleetadmin }: Place, earnings: Earnings) => {
    if (earningFields.every((field) => earnings[field] === 0)) return
    const day = dayOf(at)
    const month = Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7))
    for (const scope of [allTrips, ...(fleetadmin === null ? [] : [fleetadmin])]) {
      add(`${scope} day ${day}`, earnings)
      if (driver === null) continue
      for (const period of [0, Math.floor(month / 100), month])
        add(`${scope} driver ${driver} ${period}`, earnings)
    }
  }
  for (const { text, figures } of sources) {
    await client.query(`declare recounted no scroll cursor for ${text}`)
    for (;;) {
      const { rows } = await client.query(`fetch ${recountBatch} from recounted`)
      if (rows.length === 0) break
      for (const row of rows) count(row, figures(row))
    }
    await client.query('close recounted')
  }
  const texts = [...sums].map(([key, earnings]): [string, string] => [
    key,
    key.includes(' driver ') ? driverText(earnings) : dayText(earnings),
  ])
  return withoutZeros(texts)
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
  const scoped = `lateral (values ('${allTrips}'::uuid), (d.fleetadmin)) s(scope)`
  const days = await client.query<Earnings & { key: string }>(
    `select scope || ' day ' || day as key, ${sumsText}
      from (select scope, day, ${earningFields.join()} from report_days
        union all select s.scope, report_day(tripdate, timezone), ${earningFields.join()}
          from report_deltas d, report_state, ${scoped} where s.scope is not null) both_kinds
      group by 1`,
  )
  const drivers = await client.query<{ key: string; figures: string }>(
    `select scope || ' driver ' || driver || ' ' || period as key,
        concat_ws(' ', sum(rides), sum(share), sum(fees), sum(bonuses), sum(refunds), sum(earned)) as figures
      from (select scope, driver, period, rides, driver_share as share, cancellation_fees as fees,
            driver_bonuses as bonuses, driver_refunds as refunds, earned
          from report_drivers
        union all select s.scope, driver, g.period, rides, driver_share - waiting_share, cancellation_fees - waiting_fees,
            driver_bonuses, driver_refunds,
            driver_share - waiting_share + cancellation_fees - waiting_fees + driver_bonuses - driver_refunds
          from report_deltas d, report_state, ${scoped}, report_grains(report_day(tripdate, timezone)) g
          where s.scope is not null and driver is not null) both_kinds
      group by 1`,
  )
  return withoutZeros([
    ...days.rows.map(({ key, ...sum }): [string, string] => [key, dayText(sum)]),
    ...drivers.rows.map(({ key, figures }): [string, string] => [key, figures]),
  ])
}

const sumsText = earningFields.map((field) => `sum(${field})::bigint as ${field}`).join(', ')

/** Sums that returned to zero count as missing. */
const withoutZeros = (texts: [string, string][]) => new Map(texts.filter(([, text]) => /[1-9]/.test(text)))

const dayText = (sum: Earnings) => earningFields.map((field) => sum[field]).join(' ')

function driverText(sum: Earnings): string {
  const { trips, driverShare, cancellationFee, bonus, refund } = driverPartsOf(sum)
  return [trips, driverShare, cancellationFee, bonus, refund, driversEarned(sum)].join(' ')
}
