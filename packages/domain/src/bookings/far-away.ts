import { greatCircleKm, type LatLng } from '../geo/point.ts'

/** Farther than this from the pickup or the drop, an arrival is asked about first and the rider is told, km. */
export const farAwayKm = 0.3

/** How far from `place` someone is, in km, when that is far; null when they are near or nobody knows where they are. */
export function farAway(place: LatLng, location: LatLng | null | undefined): number | null {
  if (!location) return null
  const km = greatCircleKm(location, place)
  return km > farAwayKm ? km : null
}
