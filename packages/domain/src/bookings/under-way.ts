import type { Booking } from './booking.ts'
import { isOneOf } from './status.ts'

/** A trip that is over waits at most for its payment or a rating. */
const over = ['PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const

/** True when one of a rider's bookings is a trip that was to begin at once and is not over. */
export function hasTripUnderWay(bookings: readonly Pick<Booking, 'status' | 'bookLater'>[]): boolean {
  return bookings.some(({ status, bookLater }) => !bookLater && !isOneOf(over, status))
}
