import type { BookingView } from '@hansom/contract/bookings'
import type { TrackingPoint } from '@hansom/contract/tracking'
import { type DeliveryStop, expectedAt, nextStop } from '@hansom/domain/deliveries/delivery'
import { serverSpeed, useServerNow } from '../../lib/clock.ts'
import { useLive } from '../../lib/live.ts'

/** Age from which a position is shown as old, ms of real time. */
const staleAfterMs = 15_000

/** True if a position from `at` is too old at `now`; both on the server's clock, which runs `speed` times as fast. */
export function isStale(at: number, now: number, speed: number): boolean {
  return now - at > staleAfterMs * speed
}

/** The last known car of a trip; `seenAt` is set if it is old. */
export interface SeenCar {
  point: TrackingPoint
  seenAt: number | null
}

/** Follows the car while the viewer may see it; null before the first position and after tracking ends. */
export function useTrackedCar(view: Pick<BookingView, 'id' | 'tracked'> | undefined): SeenCar | null {
  const tracked = view?.tracked ?? false
  const { data } = useLive('tracking', tracked ? view?.id : null)
  const now = useServerNow()
  if (!tracked || !data) return null
  return { point: data, seenAt: isStale(data.at, now, serverSpeed()) ? data.at : null }
}

type Stop = Parameters<typeof expectedAt>[0]['stops'][number] & Pick<DeliveryStop, 'kind' | 'outcome'>

interface ArrivingTrip
  extends Pick<BookingView, 'status' | 'promised_arrival' | 'trip_start_time' | 'estimateTime'> {
  delivery?: { stops: readonly Stop[] } | null
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

/** The arrival at a delivery's first open stop, from which those at the later ones follow: at the pickup, the courier is there. */
export const stopArrivalAt: typeof arrivalAt = (trip, point, now) =>
  trip.status === 'ARRIVED' ? now : arrivalAt(trip, point, now)
