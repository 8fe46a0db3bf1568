import type { DriverEarning, DriverTotal } from '@hansom/contract/reports'
import { id as uuid } from '@hansom/contract/shapes'
import { maxCountedRows, type TableCount } from '@hansom/contract/tables'
import { monthName } from '@hansom/domain/time/city-time'
import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import { fieldError } from '../../../platform/tables/where.ts'
import {
  type DriverQuery,
  driverFigureSums,
  driverMonths,
  driverRows,
  figures,
  isShown,
  type RowRange,
} from './driver-rows.ts'
import { daysOf, withinMonths } from './periods.ts'

/** The columns of each order, all in one direction; together they identify a row. Each has an index. */
const orders = {
  period: ['period', 'driver_share', 'driver'],
  earned: ['earned', 'period', 'driver'],
  driverShare: ['driver_share', 'period', 'driver'],
  total_rides: ['rides', 'driver_share', 'period', 'driver'],
} as const
type OrderColumn = (typeof orders)[keyof typeof orders][number]

type Figures = Record<(typeof figures)[number] | 'earned', number>

interface Row extends Figures {
  driver: string
  period: number
  name: string
  vehicle_number: string | null
}

export interface PageQuery extends DriverQuery {
  /** A leading minus sorts in descending order. */
  sort: string
  cursor?: string | undefined
  limit: number
}

/** A page of driver earnings. Throws invalid_input for an invalid cursor or one of another order. */
export async function readDriverEarnings(
  queries: Queries,
  query: PageQuery,
): Promise<{ items: DriverEarning[]; next: string | null }> {
  const stretch = stretchOf(query)
  const { rows } = await queries.execute<Row & Record<string, unknown>>(sql`
    select t.*, coalesce(trim(u.name), '') as name, u.vehicle_number
      from (
        select * from (${driverRows(query, stretch)}) found
          where ${stretch.after(sql`found`)} order by ${stretch.orderBy(sql`found`)} limit ${stretch.limit}) t
        left join user_names u on u.id = t.driver
      order by ${stretch.orderBy(sql`t`)}`)
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => ({
      ...spanOf(query.by, row.period),
      driver: row.driver,
      driverName: row.name,
      driverVehicleNo: row.vehicle_number,
      ...figuresOf(row),
    })),
    next: rows.length > query.limit && last ? writeCursor(query.sort, last) : null,
  }
}

/** The number of rows, up to 10,000. */
export async function countDriverEarnings(queries: Queries, query: DriverQuery): Promise<TableCount> {
  const all: RowRange = {
    after: () => sql`true`,
    orderBy: (row) => sql`${row}.driver`,
    limit: maxCountedRows + 1,
  }
  const { rows } = await queries.execute<{ count: number }>(
    sql`select count(*)::int as count from (select from (${driverRows(query, all)}) t limit ${maxCountedRows + 1}) c`,
  )
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, maxCountedRows), more: count > maxCountedRows }
}

/** The subtotals of months, years or all, newest first. */
export async function readDriverTotals(queries: Queries, query: DriverQuery): Promise<DriverTotal[]> {
  const { scope, by, periods, driver, q } = query
  const ofDays = sql`(
    select extract(year from day)::int * 100 + extract(month from day)::int as period, rides,
        driver_share - waiting_share as driver_share, cancellation_fees - waiting_fees as cancellation_fees,
        driver_bonuses, driver_refunds,
        driver_share - waiting_share + cancellation_fees - waiting_fees + driver_bonuses - driver_refunds as earned
      from ${daysOf(scope)} found)`
  const months = driver === null && q.trim() === '' ? ofDays : driverMonths(query)
  const period = { month: sql`period`, year: sql`period / 100`, driver: sql`0` }[by]
  const { rows } = await queries.execute<Figures & { period: number } & Record<string, unknown>>(sql`
    select * from (select ${period} as period, ${driverFigureSums}
      from ${months} m where ${withinMonths(periods, sql`m.period`)} group by 1) t
      where ${isShown(sql`t`)} order by 1 desc`)
  return rows.map((row) => ({
    ...spanOf(by, row.period),
    ...figuresOf(row),
  }))
}

function figuresOf(row: Figures) {
  return {
    total_rides: row.rides,
    driverShare: row.driver_share,
    cancellationFees: row.cancellation_fees,
    bonus: row.driver_bonuses,
    refund: row.driver_refunds,
    earned: row.earned,
  }
}

function spanOf(by: DriverQuery['by'], period: number): Pick<DriverEarning, 'year' | 'month' | 'monthsName'> {
  if (by === 'driver') return { year: null, month: null, monthsName: null }
  if (by === 'year') return { year: period, month: null, monthsName: null }
  const month = period % 100
  return { year: Math.floor(period / 100), month, monthsName: monthName(month) }
}

function stretchOf({ sort, cursor, limit }: PageQuery): RowRange {
  const columns = orders[sort.replace(/^-/, '') as keyof typeof orders]
  const isDown = sort.startsWith('-')
  const place = cursor === undefined ? null : readCursor(cursor, sort, columns)
  const tuple = (row: SQL) =>
    sql.join(
      columns.map((column) => sql`${row}.${sql.raw(column)}`),
      sql`, `,
    )
  return {
    after: (row) =>
      place === null
        ? sql`true`
        : sql`(${tuple(row)}) ${sql.raw(isDown ? '<' : '>')} (${sql.join(
            columns.map((column, at) => sql`${place[at]}::${sql.raw(types[column])}`),
            sql`, `,
          )})`,
    orderBy: (row) =>
      sql.join(
        columns.map((column) => sql`${row}.${sql.raw(column)} ${sql.raw(isDown ? 'desc' : 'asc')}`),
        sql`, `,
      ),
    limit: limit + 1,
  }
}

const types: Record<OrderColumn, string> = {
  period: 'int',
  rides: 'bigint',
  driver_share: 'bigint',
  earned: 'bigint',
  driver: 'uuid',
}

function writeCursor(sort: string, row: Row): string {
  const columns = orders[sort.replace(/^-/, '') as keyof typeof orders]
  return Buffer.from(JSON.stringify([sort, ...columns.map((column) => row[column])])).toString('base64url')
}

function readCursor(text: string, sort: string, columns: readonly OrderColumn[]): (string | number)[] {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw fieldError('cursor')
  }
  if (!Array.isArray(parts) || parts.length !== columns.length + 1 || parts[0] !== sort)
    throw fieldError('cursor')
  const place = parts.slice(1) as unknown[]
  const fits = columns.every((column, at) => {
    const value = place[at]
    if (column === 'driver') return uuid.safeParse(value).success
    return Number.isSafeInteger(value) && (column !== 'period' || Math.abs(value as number) < 2 ** 31)
  })
  if (!fits) throw fieldError('cursor')
  return place as (string | number)[]
}
