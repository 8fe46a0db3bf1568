import { greatCircleKm, type LatLng } from './point.ts'

const radians = Math.PI / 180

/** A position on a path and the direction of travel there, degrees clockwise from north. */
export interface PathPosition extends LatLng {
  bearing: number
}

/** Length of a path in km. 0 for fewer than two points. */
export function pathKm(path: readonly LatLng[]): number {
  let km = 0
  for (let index = 1; index < path.length; index++) {
    km += greatCircleKm(path[index - 1] as LatLng, path[index] as LatLng)
  }
  return km
}

/** The position `km` along a path, clamped to its ends. Throws RangeError for an empty path. */
export function pointAlong(path: readonly LatLng[], km: number): PathPosition {
  const first = path[0]
  if (!first) throw new RangeError('an empty path has no positions')
  let left = Math.max(0, km)
  let position: PathPosition = { lat: first.lat, lng: first.lng, bearing: 0 }
  for (let index = 1; index < path.length; index++) {
    const from = path[index - 1] as LatLng
    const to = path[index] as LatLng
    const length = greatCircleKm(from, to)
    if (length === 0) continue
    const bearing = bearingTo(from, to)
    if (left <= length) return { ...between(from, to, left / length), bearing }
    left -= length
    position = { lat: to.lat, lng: to.lng, bearing }
  }
  return position
}

/** The point at `share` (0 to 1) of the straight line between two nearby points. */
export function between(from: LatLng, to: LatLng, share: number): LatLng {
  return { lat: from.lat + (to.lat - from.lat) * share, lng: from.lng + (to.lng - from.lng) * share }
}

/** Initial great-circle bearing in degrees from north, 0 up to 360. */
export function bearingTo(from: LatLng, to: LatLng): number {
  const dLng = (to.lng - from.lng) * radians
  const y = Math.sin(dLng) * Math.cos(to.lat * radians)
  const x =
    Math.cos(from.lat * radians) * Math.sin(to.lat * radians) -
    Math.sin(from.lat * radians) * Math.cos(to.lat * radians) * Math.cos(dLng)
  return (Math.atan2(y, x) / radians + 360) % 360
}
