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

/** A rectangle in degrees: south-west and north-east corner. */
export interface BoundingBox {
  south: number
  west: number
  north: number
  east: number
}

const kmPerDegree = 111.195

/** A box that contains every point within `km` of the center (and slightly more). */
export function boxAround(center: LatLng, km: number): BoundingBox {
  const dLat = km / kmPerDegree
  const farthest = Math.min(89.9, Math.abs(center.lat) + dLat)
  const dLng = Math.min(180, km / (kmPerDegree * Math.cos((farthest * Math.PI) / 180)))
  return {
    south: center.lat - dLat,
    west: center.lng - dLng,
    north: center.lat + dLat,
    east: center.lng + dLng,
  }
}

/** True when the point is in the box or on its edge. */
export function isInside(box: BoundingBox, point: LatLng): boolean {
  return point.lat >= box.south && point.lat <= box.north && point.lng >= box.west && point.lng <= box.east
}

const metresPerDegree = 111_195

/**
 * Removes the points of a path that are within `toleranceM` metres of the line without them (Douglas and Peucker, 1973,
 * https://doi.org/10.3138/FM57-6770-U75U-7727). The first and the last point stay.
 */
export function simplifyPath<Point extends LatLng>(path: readonly Point[], toleranceM: number): Point[] {
  if (path.length < 3) return [...path]
  const isKept = new Uint8Array(path.length)
  isKept[0] = 1
  isKept[path.length - 1] = 1
  // An explicit stack: recursion on a long track would overflow the call stack.
  const parts: [number, number][] = [[0, path.length - 1]]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const [from, to] = part
    let farthest = -1
    let farthestM = toleranceM
    for (let index = from + 1; index < to; index++) {
      const metres = distanceM(path[index] as Point, path[from] as Point, path[to] as Point)
      if (metres > farthestM) {
        farthest = index
        farthestM = metres
      }
    }
    if (farthest < 0) continue
    isKept[farthest] = 1
    parts.push([from, farthest], [farthest, to])
  }
  return path.filter((_, index) => isKept[index] === 1)
}

/** Metres from a point to the straight line between two others, on a plane tangent to the Earth there. */
function distanceM(point: LatLng, from: LatLng, to: LatLng): number {
  const narrowing = Math.cos((from.lat * Math.PI) / 180)
  const x = (place: LatLng) => wrapDegrees(place.lng - from.lng) * narrowing * metresPerDegree
  const y = (place: LatLng) => (place.lat - from.lat) * metresPerDegree
  const length = x(to) ** 2 + y(to) ** 2
  const share = length === 0 ? 0 : (x(point) * x(to) + y(point) * y(to)) / length
  const along = Math.min(1, Math.max(0, share))
  return Math.hypot(x(point) - along * x(to), y(point) - along * y(to))
}

/** A difference of longitudes normalized to -180 to 180, so that it can cross the date line. */
function wrapDegrees(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
}

/** Metres from a point to a path, on a plane tangent to the Earth there. Infinity for an empty path. */
export function pathDistanceM(point: LatLng, path: readonly LatLng[]): number {
  let least = path[0] ? distanceM(point, path[0], path[0]) : Number.POSITIVE_INFINITY
  for (let index = 1; index < path.length; index++) {
    least = Math.min(least, distanceM(point, path[index - 1] as LatLng, path[index] as LatLng))
  }
  return least
}
