import type { Booking } from '@hansom/domain/bookings/booking'
import { rowJson } from '../../../platform/database/columns.ts'
import {
  bookingEventsTable,
  bookingRequestsTable,
  type BookingRow,
  bookingsTable,
  trackingTable,
} from '../table.ts'

/** A row is a booking: same names, same units. */
export const bookingJson = rowJson<Booking & BookingRow>(bookingsTable)
export const eventJson = rowJson<typeof bookingEventsTable.$inferSelect>(bookingEventsTable)
export const requestJson = rowJson<RequestRow>(bookingRequestsTable)
export const trackingJson = rowJson<typeof trackingTable.$inferInsert>(trackingTable)

/** A request to a driver. */
export type RequestRow = typeof bookingRequestsTable.$inferSelect

/** The requests active at `now`: they expire on time even if no job has run since. */
export function activeRequests(requests: readonly RequestRow[], now: number): RequestRow[] {
  return requests.filter((request) => request.expires_at === null || request.expires_at > now)
}
