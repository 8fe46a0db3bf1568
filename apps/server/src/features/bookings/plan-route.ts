import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import type { Maps } from '../../adapters/maps/port.ts'

/** The planned route of a trip, as a booking stores it. */
export interface PlannedRoute {
  distanceKm: number
  durationS: number
  polyline: string
}

/**
 * The quickest route from pickup (past `via`) to drop, or null. Offers, estimates and bookings all use it. Throws
 * google_places_error if an outside map service does not answer and no map replaces it.
 */
export async function planRoute(
  maps: Maps,
  pickup: LatLng,
  drop: LatLng,
  via: readonly LatLng[] = [],
): Promise<PlannedRoute | null> {
  if (!maps.covers(pickup) || !maps.covers(drop)) return null
  const points = [pickup, ...via, drop].map(({ lat, lng }) => ({ lat, lng }))
  const route = await maps.route(points).catch(() => {
    throw new Refusal('google_places_error')
  })
  if (!route) return null
  const { distanceKm, durationS, polyline } = route
  return { distanceKm, durationS, polyline: encodePolyline(polyline) }
}
