import type { BookingView } from '@hansom/contract/bookings'
import { greatCircleKm } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'

/** Nearer than this the trip ended where it was planned: across the street, or at the next door. */
const sameEndKm = 0.15

/** How far (km) from the end of the planned way a trip ended; null before its end and where it ended as planned. */
export function endDistance(view: Pick<BookingView, 'route' | 'drop' | 'trip_end_time'>): number | null {
  const planned = decodePolyline(view.route).at(-1)
  if (view.trip_end_time === null || !planned) return null
  const km = greatCircleKm(planned, view.drop)
  return km < sameEndKm ? null : km
}
