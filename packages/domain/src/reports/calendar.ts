const dayMs = 24 * 3600 * 1000

/** The last `count` days up to and including `day`, oldest first. */
export function daysUpTo(day: string, count: number): string[] {
  const last = Date.parse(day)
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}

/** The last day of a month (1 to 12), as `2026-11-30`. */
export function lastDayOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The English name of a month (1 to 12). Throws RangeError for another number. */
export function monthName(month: number): string {
  const name = names[month - 1]
  if (name === undefined) throw new RangeError(`invalid month: ${month}`)
  return name
}
