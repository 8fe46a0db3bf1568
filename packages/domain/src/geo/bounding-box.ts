import type { LatLng } from './point.ts'

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
