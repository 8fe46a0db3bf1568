import type { LatLng } from './point.ts'

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
