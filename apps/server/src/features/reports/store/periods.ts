import type { Actor } from '@hansom/domain/access/relation'
import { earningFields } from '@hansom/domain/reports/counted'
import { and, type SQL, sql } from 'drizzle-orm'

/** The scope of all trips; every other scope is a fleet admin's ID. */
export const allTrips = '00000000-0000-0000-0000-000000000000'
/** The scope of no trips: no fleet admin has this ID. */
const noTrip = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The trips that a person's report covers: for an admin, the requested fleet or all; for a fleet admin, their own
 * fleet, or none if they request a different one.
 */
export function scopeOf(actor: Actor, fleet: string | null = null): string {
  if (actor.role === 'admin') return fleet ?? allTrips
  return fleet === null || fleet === actor.id ? actor.id : noTrip
}

/** Inclusive years, and months (1 to 12) of those years; null for all. */
export interface Periods {
  firstYear: number | null
  lastYear: number | null
  months: readonly number[] | null
}

/** The calendar limits of the database. */
const years = { first: 0, last: 294_276 }

/** Reads the filters `year` (`from..to`) and `month` (`11` or `1,2`), which the contract has validated. */
export function readPeriods(asked: { year?: string | undefined; month?: string | undefined }): Periods {
  const [from, to] = (asked.year ?? '..').split('..')
  const year = (text: string | undefined) =>
    text ? Math.min(years.last, Math.max(years.first, Number(text))) : null
  return {
    firstYear: year(from),
    lastYear: year(to),
    months: asked.month === undefined ? null : asked.month.split(',').map(Number),
  }
}

export function isWithin({ firstYear, lastYear, months }: Periods, year: number, month: number): boolean {
  return (
    (firstYear === null || year >= firstYear) &&
    (lastYear === null || year <= lastYear) &&
    (months === null || months.includes(month))
  )
}

/** The condition for a column with months such as 202611. */
export function withinMonths({ firstYear, lastYear, months }: Periods, period: SQL): SQL {
  const parts = [
    firstYear === null ? undefined : sql`${period} >= ${firstYear * 100}::int`,
    lastYear === null ? undefined : sql`${period} <= ${lastYear * 100 + 12}::int`,
    months === null ? undefined : sql`${period} % 100 = any(${sql.param([...months])}::int[])`,
  ]
  return and(...parts) ?? sql`true`
}

/** The condition for a column with years, where months cannot be distinguished. */
export function withinYears({ firstYear, lastYear }: Periods, period: SQL): SQL {
  const parts = [
    firstYear === null ? undefined : sql`${period} >= ${firstYear}::int`,
    lastYear === null ? undefined : sql`${period} <= ${lastYear}::int`,
  ]
  return and(...parts) ?? sql`true`
}

/** Condition for new changes within a scope. */
export function newWithin(scope: string): SQL {
  return scope === allTrips ? sql`true` : sql`d.fleetadmin = ${scope}::uuid`
}

/** The time zone of the sums: looked up once per statement. */
export const zone = sql`(select timezone from report_state)`

/** The columns of the figures, and their sums. */
const columns = sql.raw(earningFields.join(', '))
export const sums = sql.raw(earningFields.map((field) => `sum(${field})::bigint as ${field}`).join(', '))
/** A condition on sums: some figure is not zero. */
export const hasFigures = sql.raw(earningFields.map((field) => `sum(${field}) <> 0`).join(' or '))

/** The sums of a scope's days, plus a row for each new change; the caller groups them. */
export function daysOf(scope: string): SQL {
  return sql`(
    select day, ${columns} from report_days where scope = ${scope}::uuid
    union all
    select report_day(d.tripdate, ${zone}), ${columns} from report_deltas d where ${newWithin(scope)})`
}
