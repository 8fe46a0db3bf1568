import type { BookingView } from '@hansom/contract/bookings'
import type { TrackingPoint } from '@hansom/contract/tracking'
import { expectedAt, nextStop } from '@hansom/domain/deliveries/delivery'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import classes from './trip-panel.module.css'

/** Minutes until the car arrives and the time of arrival. Times are epoch ms on the server's clock. */
export function Arrival({ at, now, toPickup }: { at: number | null; now: number; toPickup: boolean }) {
  const { t } = useText()
  const format = useFormat()
  if (at === null) return null
  const left = (at - now) / 1000
  return (
    <p className={classes.arrival}>
      <strong>
        {left < 30 ? (
          t(toPickup ? 'trip.any_moment' : 'trip.nearly_there')
        ) : (
          <bdi>{format.duration(left)}</bdi>
        )}
      </strong>
      <span>
        {t(toPickup ? 'trip.at_pickup_by' : 'trip.at_drop_by')} <Ltr>{format.clock(Math.max(at, now))}</Ltr>
      </span>
    </p>
  )
}

interface ArrivingTrip
  extends Pick<BookingView, 'status' | 'promised_arrival' | 'trip_start_time' | 'estimateTime'> {
  delivery?: BookingView['delivery']
}

/**
 * The car's arrival time (epoch ms on the server's clock): at the pickup once accepted, at the drop once started, otherwise
 * null. Without a position: the promised or planned time. A delivery's courier does not hand over before the window opens.
 */
export function arrivalAt(
  trip: ArrivingTrip,
  point: TrackingPoint | null | undefined,
  now: number,
): number | null {
  if (trip.status !== 'ACCEPTED' && trip.status !== 'STARTED') return null
  const isSeen = point && point.status === trip.status && point.arrivalS !== null
  const seen = isSeen ? point.at + (point.arrivalS ?? 0) * 1000 : null
  if (trip.status === 'ACCEPTED') return seen ?? trip.promised_arrival
  const next = nextStop(trip.delivery ?? null)
  if (trip.delivery && next) return expectedAt(trip.delivery, next, now, seen)
  if (seen !== null) return seen
  return trip.trip_start_time === null ? null : trip.trip_start_time + trip.estimateTime * 1000
}
