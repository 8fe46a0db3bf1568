import type { BookingView } from '@hansom/contract/bookings'
import type { TrackingPoint } from '@hansom/contract/tracking'
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
