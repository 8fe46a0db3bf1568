import type { BookingStatus } from '@hansom/domain/bookings/status'

/** The part of the bookings' address that shows what a number of the dashboard was made of. */
export interface BookingsAddress {
  status?: string
  tripdate?: string
}

/** What earns: trips paid for. */
const earning: readonly BookingStatus[] = ['PAID', 'COMPLETE']

/** The paid trips of some days in the city's time zone, both of them included; of all days without. */
export function earningTrips(days?: { from: string; to: string }): BookingsAddress {
  return { status: earning.join(','), ...(days ? { tripdate: `${days.from}..${days.to}` } : {}) }
}

/** All trips that stand at a status. */
export function tripsOf(status: BookingStatus): BookingsAddress {
  return { status }
}

/** The first day of a day's month. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`
}
