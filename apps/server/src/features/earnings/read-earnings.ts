import type { EarningLine } from '@hansom/contract/earnings'
import {
  addParts,
  type EarningParts,
  earnedOf,
  noEarningParts,
  toWalletOf,
} from '@hansom/domain/earnings/figures'
import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { readCursor, writeCursor } from '../../platform/tables/read-table.ts'

/** A driver and the part boundaries (epoch ms, ascending); the last one is the end of the period. */
export interface EarningsRange {
  driver: string
  starts: readonly number[]
}

export interface EarningTotals extends EarningParts {
  earned: number
  toWallet: number
}

const order = '-at'

/**
 * Cash received by the trip's driver; for a cash trip, including the rider's outstanding amount. Zero for a driver who
 * reported that nothing was paid, even if the rider later paid another driver.
 */
const cashOf = sql`(case when b.cash_answer = 'nothing' then 0 when b.payment_mode = 'cash'
  then b.cash_payment_amount + b.outstanding_collected else b.cash_payment_amount end)`

/**
 * Every item that has earned or cost a driver money, with its figures. Uses indexes on driver and time (for bonuses,
 * which are few, on time only). Trips count on their tripdate, as in all reports; failed refunds do not count.
 */
function linesOf({ driver, starts }: EarningsRange): SQL {
  const within = (at: SQL) =>
    sql`${at} >= ${starts[0] ?? 0}::bigint and ${at} < ${starts.at(-1) ?? 0}::bigint`
  return sql`(
    select b.id, b.tripdate as at, case when b.status = 'CANCELLED' then 'cancellation' else 'trip' end as kind,
        b.id as booking, b.booking_id, b.pickup, b.drop, b.payment_mode,
        null as reason, paid.trips,
        b.trip_cost * paid.trips as "tripCost", b.convenience_fees * paid.trips as "platformFee",
        (b.driver_share - waiting.sum) * paid.trips as "driverShare", ${cashOf} * paid.trips as cash,
        (b.cancellation_fee - waiting.sum) * (1 - paid.trips) as "cancellationFee", 0::bigint as bonus, 0::bigint as refund
      from trip_figures b, lateral (select (b.status <> 'CANCELLED')::int as trips) paid,
        lateral (select coalesce(sum(d.open + d.waived), 0)::bigint as sum from booking_dues d where d.booking = b.id) waiting
      where b.driver = ${driver}::uuid and ${within(sql`b.tripdate`)}
        and (b.status in ('PAID', 'COMPLETE') or (b.status = 'CANCELLED' and b.cancellation_fee > waiting.sum))
    union all
    select r.id, r.at, 'refund', r.booking, r.code, null, null, null, r.reason, 0, 0, 0, 0, 0, 0, 0, r.amount
      from refund_records r where r.state <> 'failed' and r.driver = ${driver}::uuid and ${within(sql`r.at`)}
    union all
    select e.id, e.at, 'bonus', null, null, null, null, null, null, 0, 0, 0, 0, 0, 0, sum(e.amount)::bigint, 0
      from referral_bonuses e where e.user_id = ${driver}::uuid and ${within(sql`e.at`)} group by e.id, e.at)`
}

/** The figures of each part of the period, and their total. */
export async function readSums(
  queries: Queries,
  range: EarningsRange,
): Promise<{ total: EarningTotals; parts: (EarningTotals & { start: number })[] }> {
  const starts = range.starts.slice(0, -1)
  const { rows } = await queries.execute<EarningParts & { part: number } & Record<string, unknown>>(sql`
    select width_bucket(at, ${sql.param(starts)}::bigint[]) as part, sum(trips)::bigint as trips,
        sum("tripCost")::bigint as "tripCost", sum("platformFee")::bigint as "platformFee",
        sum("driverShare")::bigint as "driverShare", sum(cash)::bigint as cash,
        sum("cancellationFee")::bigint as "cancellationFee", sum(bonus)::bigint as bonus, sum(refund)::bigint as refund
      from ${linesOf(range)} lines group by 1`)
  const found = new Map(rows.map(({ part, ...parts }) => [part - 1, parts]))
  return {
    total: withTotals([...found.values()].reduce<EarningParts>(addParts, noEarningParts)),
    parts: starts.map((start, part) => ({ start, ...withTotals(found.get(part) ?? noEarningParts) })),
  }
}

/** A page of the lines, newest first. Throws invalid_input for an invalid cursor. */
export async function readLines(
  queries: Queries,
  range: EarningsRange,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ items: EarningLine[]; next: string | null }> {
  const after = cursor === undefined ? null : readCursor(cursor, order, { sql: sql`at`, type: 'int8' })
  const { rows } = await queries.execute<
    Omit<EarningLine, 'earned' | 'toWallet'> & Record<string, unknown>
  >(sql`
    select * from ${linesOf(range)} lines
      where ${after === null ? sql`true` : sql`(at, id) < (${after[0]}::bigint, ${after[1]}::uuid)`}
      order by at desc, id desc limit ${limit + 1}::int`)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => ({ ...row, ...withTotals(row) })),
    next: rows.length > limit && last ? writeCursor(order, [last.at, last.id]) : null,
  }
}

/** Adds the totals to the figures. */
function withTotals(row: EarningParts): EarningTotals {
  const parts = addParts(noEarningParts, row)
  return { ...parts, earned: earnedOf(parts), toWallet: toWalletOf(parts) }
}
