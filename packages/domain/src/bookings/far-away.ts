import { greatCircleKm, type LatLng } from '../geo/point.ts'

/** Beyond this distance from the pickup or drop, the driver has to confirm the step and the rider is notified, km. */
export const farAwayKm = 0.3

/** Distance from `place` in km if it is far away; null when near or when the location is unknown. */
export function farAway(place: LatLng, location: LatLng | null | undefined): number | null {
  if (!location) return null
  const km = greatCircleKm(location, place)
  return km > farAwayKm ? km : null
}
