import type { BookingView } from '@hansom/contract/bookings'
import { isOneOf } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'

/** A paid trip waits for nothing but a rating. */
const settled = ['PAID', 'COMPLETE', 'CANCELLED'] as const
/** More are a matter of the booking history. */
const most = 3

/** Of a rider's bookings those that are not over, the next one first. */
export function openTrips<Booking extends Pick<BookingView, 'status' | 'tripdate'>>(
  bookings: readonly Booking[],
): Booking[] {
  return bookings
    .filter(({ status }) => !isOneOf(settled, status))
    .toSorted((one, other) => one.tripdate - other.tripdate)
    .slice(0, most)
}

/** The key of the words for how a trip stands at `now` (epoch ms on the server's clock); one for later names its time. */
export function standingKey(
  { status, drivers_asked_at }: Pick<BookingView, 'status' | 'drivers_asked_at'>,
  now: number,
): TextKey {
  const isWaiting = status === 'NEW' && drivers_asked_at !== null && now < drivers_asked_at
  return isWaiting ? 'trip.rider_NEW_later' : `history.status_${status}`
}
