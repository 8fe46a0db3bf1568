/** A position on the Earth in decimal degrees (WGS 84). */
export interface LatLng {
  lat: number
  lng: number
}

const earthRadiusKm = 6371.0088
const radians = Math.PI / 180

/** Two points at most this far apart are the same place, km. */
const samePlaceKm = 0.01

/** True when pickup and drop are the same place. */
export function isSamePlace(a: LatLng, b: LatLng): boolean {
  return greatCircleKm(a, b) <= samePlaceKm
}

/** Great-circle distance in km between two points, by the haversine formula on the mean Earth radius. */
export function greatCircleKm(a: LatLng, b: LatLng): number {
  const dLat = (b.lat - a.lat) * radians
  const dLng = (b.lng - a.lng) * radians
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(dLng / 2) ** 2
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)))
}
