import type { DriverEarningStep } from '@hansom/contract/reports-table'
import { and, type SQL, sql } from 'drizzle-orm'
import { searchPatterns } from '../../../platform/tables/where.ts'
import { newWithin, type Periods, withinMonths, withinYears, zone } from './periods.ts'

/** Filters of driver earnings. */
export interface DriverQuery {
  scope: string
  by: DriverEarningStep
  periods: Periods
  driver: string | null
  q: string
}

/** A range of sorted rows: up to `limit` rows after a position. */
export interface RowRange {
  /** A condition on the columns of `row`. */
  after(row: SQL): SQL
  orderBy(row: SQL): SQL
  limit: number
}

/** The figures of a driver: `report_drivers` has them without what riders have not paid yet. */
export const figures = [
  'rides',
  'driver_share',
  'cancellation_fees',
  'driver_bonuses',
  'driver_refunds',
] as const
const stored = sql.raw(figures.map((one) => `r.${one}`).join(', '))
export const driverFigureSums = sql.raw(
  [...figures, 'earned'].map((one) => `sum(${one})::bigint as ${one}`).join(', '),
)

/** A row with a figure that is not zero. */
export function isShown(row: SQL): SQL {
  return sql`(${sql.join(
    figures.map((one) => sql`${row}.${sql.raw(one)} <> 0`),
    sql` or `,
  )})`
}

const grains: Record<DriverEarningStep, number> = { driver: 0, year: 1, month: 2 }

/**
 * The matching rows as a query with driver, period and the figures: at least those of the range, unordered. Rows without new changes come from an index in order; the few others are added up separately. (`not in`
 * and `offset 0` keep the planner from joining entire tables to look up a few rows.)
 */
export function driverRows(query: DriverQuery, stretch: RowRange): SQL {
  const { scope, by, periods } = query
  const level = levelOf(by, periods)
  if (level === null) return groupedRows(query)
  const where = (row: SQL) => and(level.within(sql`${row}.period`), ofDriver(query, row))
  const { grain } = level
  return sql`
    with fresh as materialized (${freshRows(scope, grain)}),
    settled as (
      select r.driver, r.period, ${stored}, r.earned from report_drivers r
        where r.scope = ${scope}::uuid and r.grain = ${grain}::smallint and r.shown and ${where(sql`r`)}
          and ${stretch.after(sql`r`)}
          and (r.driver, r.period) not in (select driver, period from fresh)
        order by ${stretch.orderBy(sql`r`)} limit ${stretch.limit}),
    changed as (
      select f.driver, f.period, ${sql.raw(figures.map((one) => `f.${one} + coalesce(r.${one}, 0) as ${one}`).join(', '))},
          f.earned + coalesce(r.earned, 0) as earned
        from fresh f left join lateral (
          select ${stored}, earned from report_drivers r
            where r.scope = ${scope}::uuid and r.grain = ${grain}::smallint and r.driver = f.driver and r.period = f.period
            offset 0) r on true)
    select * from settled union all
    select * from changed c where (${isShown(sql`c`)}) and ${where(sql`c`)} and ${stretch.after(sql`c`)}`
}

/** The level whose rows cover exactly the requested time, or null. */
function levelOf(by: DriverEarningStep, periods: Periods) {
  const { firstYear, lastYear, months } = periods
  if (by === 'month') return { grain: grains.month, within: (period: SQL) => withinMonths(periods, period) }
  if (months !== null) return null
  const isOneYear = firstYear !== null && firstYear === lastYear
  if (by === 'year' || isOneYear)
    return { grain: grains.year, within: (period: SQL) => withinYears(periods, period) }
  return firstYear === null && lastYear === null ? { grain: grains.driver, within: () => sql`true` } : null
}

/** For a time that no level covers: added up from its months. */
function groupedRows(query: DriverQuery): SQL {
  const period = query.by === 'year' ? sql`period / 100` : sql`0`
  return sql`
    select * from (select driver, ${period} as period, ${driverFigureSums}
      from ${driverMonths(query)} months group by 1, 2) g where ${isShown(sql`g`)}`
}

/** The months of drivers, plus new changes; the caller groups them. */
export function driverMonths({ scope, periods, ...query }: Omit<DriverQuery, 'by'>): SQL {
  const where = (row: SQL) => and(withinMonths(periods, sql`${row}.period`), ofDriver(query, row))
  return sql`(
    select r.driver, r.period, ${stored}, r.earned from report_drivers r
      where r.scope = ${scope}::uuid and r.grain = ${grains.month}::smallint and ${where(sql`r`)}
    union all
    select * from (${freshRows(scope, grains.month)}) f where ${where(sql`f`)})`
}

function freshRows(scope: string, grain: number): SQL {
  return sql`
    select driver, period, ${driverFigureSums} from (
      select d.driver, g.period, d.rides, d.driver_share - d.waiting_share as driver_share,
          d.cancellation_fees - d.waiting_fees as cancellation_fees, d.driver_bonuses, d.driver_refunds,
          d.driver_share - d.waiting_share + d.cancellation_fees - d.waiting_fees + d.driver_bonuses - d.driver_refunds
            as earned
        from report_deltas d, report_grains(report_day(d.tripdate, ${zone})) g
        where g.grain = ${grain}::smallint and d.driver is not null and ${newWithin(scope)}) d
      group by 1, 2`
}

function ofDriver({ driver, q }: Pick<DriverQuery, 'driver' | 'q'>, row: SQL): SQL {
  const named = searchPatterns(q).map((pattern) => sql`s.names like search_fold(${pattern}::text)`)
  const parts = [
    driver === null ? undefined : sql`${row}.driver = ${driver}::uuid`,
    named.length === 0
      ? undefined
      : sql`${row}.driver in (select s.driver from driver_search s where ${and(...named)})`,
  ]
  return and(...parts) ?? sql`true`
}
