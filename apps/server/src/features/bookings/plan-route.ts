import type { LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import type { Maps } from '../../adapters/maps/port.ts'

/** The planned route of a trip, as a booking stores it. */
export interface PlannedRoute {
  distanceKm: number
  durationS: number
  polyline: string
}

/** The quickest route from pickup to drop, or null. Offers, estimates and bookings all use it. */
export async function planRoute(maps: Maps, pickup: LatLng, drop: LatLng): Promise<PlannedRoute | null> {
  if (!maps.covers(pickup) || !maps.covers(drop)) return null
  const route = await maps.route([
    { lat: pickup.lat, lng: pickup.lng },
    { lat: drop.lat, lng: drop.lng },
  ])
  if (!route) return null
  const { distanceKm, durationS, polyline } = route
  return { distanceKm, durationS, polyline: encodePolyline(polyline) }
}
