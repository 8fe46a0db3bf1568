import { and, type SQL, sql } from 'drizzle-orm'

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
