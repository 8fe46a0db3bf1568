import type { BookingView } from '@hansom/contract/bookings'
import { isOneOf } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'

/** Finished for the rider: a paid trip only lacks a rating. */
const settled = ['PAID', 'COMPLETE', 'CANCELLED'] as const
/** Further trips are in the booking history. */
const most = 3

/** The rider's unfinished bookings, next one first. */
export function openTrips<Booking extends Pick<BookingView, 'status' | 'tripdate'>>(
  bookings: readonly Booking[],
): Booking[] {
  return bookings
    .filter(({ status }) => !isOneOf(settled, status))
    .toSorted((one, other) => one.tripdate - other.tripdate)
    .slice(0, most)
}

/** Text key of a trip's status at `now` (epoch ms on the server's clock); a later trip shows its time. */
export function tripStatusKey(
  { status, drivers_asked_at }: Pick<BookingView, 'status' | 'drivers_asked_at'>,
  now: number,
): TextKey {
  const isWaiting = status === 'NEW' && drivers_asked_at !== null && now < drivers_asked_at
  return isWaiting ? 'trip.rider_NEW_later' : `history.status_${status}`
}
