import type { BookingView } from '@hansom/contract/bookings'
import { isOneOf } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useLive } from '../../../lib/live.ts'
import classes from './open-trips.module.css'

/** The rider's unfinished trips, next one first, so that returning riders find their car immediately. */
export default function OpenTrips() {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(15_000)
  const trips = openTrips(useLive('bookings').data ?? [])
  if (trips.length === 0) return null
  return (
    <ul className={classes.trips} aria-label={t('booking.open_trips')}>
      {trips.map((trip) => (
        <li key={trip.id}>
          <Link to="/trip/$id" params={{ id: trip.id }} className={classes.trip}>
            <span className={classes.words}>
              <strong>
                {t(tripStatusKey(trip, now), { time: isolated(format.dateTime(trip.tripdate)) })}
              </strong>
              <span className={classes.drop}>
                <bdi>{trip.dropAddress}</bdi>
              </span>
            </span>
            <IconChevronRight className={classes.arrow} size={20} aria-hidden />
          </Link>
        </li>
      ))}
    </ul>
  )
}

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
