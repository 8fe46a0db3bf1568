import type { BookingStatus } from '@hansom/domain/bookings/status'
import { lastDayOf } from '@hansom/domain/reports/calendar'
import { countedStatuses } from '@hansom/domain/reports/counted'

/** The part of the bookings' address that shows what a figure was made of. */
export interface TripsAddress {
  status: string
  tripdate?: string
  driver?: string
}

/** The trips that count, of a month or year or all time, of one driver or all. */
export function tripsBehind(row: {
  year: number | null
  month: number | null
  driver?: string
}): TripsAddress {
  const { year, month, driver } = row
  const two = (number: number) => String(number).padStart(2, '0')
  const days =
    year === null
      ? null
      : month === null
        ? `${year}-01-01..${year}-12-31`
        : `${year}-${two(month)}-01..${lastDayOf(year, month)}`
  return {
    status: (countedStatuses satisfies readonly BookingStatus[]).join(','),
    ...(days === null ? {} : { tripdate: days }),
    ...(driver === undefined ? {} : { driver }),
  }
}
