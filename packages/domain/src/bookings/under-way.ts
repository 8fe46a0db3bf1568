import type { Booking } from './booking.ts'
import { isOneOf } from './status.ts'

/** Statuses of a trip that is over: at most the payment or a rating is missing. */
const over = ['PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const

/** True when one of a rider's bookings is a Book Now trip in progress. */
export function hasTripUnderWay(bookings: readonly Pick<Booking, 'status' | 'bookLater'>[]): boolean {
  return bookings.some(({ status, bookLater }) => !bookLater && !isOneOf(over, status))
}
