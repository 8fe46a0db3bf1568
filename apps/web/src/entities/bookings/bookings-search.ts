import type { BookingStatus } from '@hansom/domain/bookings/status'
import { countedStatuses } from '@hansom/domain/reports/counted'
import { lastDayOf } from '@hansom/domain/time/city-time'
import { type SearchParams, stringifySearchParams } from '../../lib/search-params.ts'

/** Days in the city's time zone, both included, as YYYY-MM-DD. */
export interface Days {
  from: string
  to: string
}

/** The search of /bookings that lists the trips counted in the reports: of some days or all, of one driver or all. */
export function countedTrips(days?: Days, driver?: string): SearchParams {
  return {
    status: countedStatuses.join(','),
    ...(days && { tripdate: `${days.from}..${days.to}` }),
    ...(driver !== undefined && { driver }),
  }
}

/** The search of /bookings that lists the cancelled trips of some days, or all. */
export function cancelledTrips(days?: Days): SearchParams {
  return { status: 'CANCELLED', ...(days && { tripdate: `${days.from}..${days.to}` }) }
}

/** The trips counted in a row of a report: a month (1 to 12), a year or all time. */
export function countedTripsOf(row: {
  year: number | null
  month: number | null
  driver?: string
}): SearchParams {
  return countedTrips(daysOf(row), row.driver)
}

/** URL of the trips behind a row of a report. */
export const countedTripsUrl = (row: Parameters<typeof countedTripsOf>[0]) =>
  `/bookings${stringifySearchParams(countedTripsOf(row))}`

function daysOf({ year, month }: { year: number | null; month: number | null }): Days | undefined {
  if (year === null) return undefined
  if (month === null) return { from: `${year}-01-01`, to: `${year}-12-31` }
  return { from: `${year}-${String(month).padStart(2, '0')}-01`, to: lastDayOf(year, month) }
}

/** The search of /bookings that lists the trips with a status. */
export function tripsWith(status: BookingStatus): SearchParams {
  return { status }
}
