import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useLive } from '../../../lib/live.ts'
import { openTrips, tripStatusKey } from './open-trip-status.ts'
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
