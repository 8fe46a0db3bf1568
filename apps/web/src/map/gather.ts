import type { LatLng } from '@hansom/domain/geo/point'

/** A heap of what stands close together, or one alone. */
export interface Gathered<P> extends LatLng {
  /** Stays the same while what it is made of does. */
  key: string
  members: P[]
}

/** So many stand each for itself, however close. */
export const mostAlone = 200
/** From this zoom on a street is wide enough for all. */
const aloneFromZoom = 15.5
/** The side of a square whose cars become one heap, in px. */
const squarePx = 76
/** Width of the world at zoom 0, in px. */
const worldPx = 512

/**
 * Gathers points for a zoom of the map: beyond `mostAlone` of them, those of one square of the screen. The squares
 * stand still while the map is moved. Pure.
 */
export function gather<P extends LatLng & { id: string }>(points: readonly P[], zoom: number): Gathered<P>[] {
  const alone = (point: P): Gathered<P> => ({
    key: point.id,
    lat: point.lat,
    lng: point.lng,
    members: [point],
  })
  if (points.length <= mostAlone || zoom >= aloneFromZoom) return points.map(alone)
  const level = Math.round(zoom * 2) / 2
  const squares = new Map<string, P[]>()
  for (const point of points) {
    const square = squareOf(point, (worldPx * 2 ** level) / squarePx)
    const members = squares.get(square)
    if (members) members.push(point)
    else squares.set(square, [point])
  }
  return [...squares].flatMap(([square, members]) => {
    const [only] = members
    if (only && members.length === 1) return [alone(only)]
    return [{ key: `${level}:${square}`, ...middle(members), members }]
  })
}

/** The square, of so many across the world, in which a point lies on the map's projection. */
function squareOf({ lat, lng }: LatLng, across: number): string {
  const sine = Math.sin((lat * Math.PI) / 180)
  const x = lng / 360 + 0.5
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return `${Math.floor(x * across)},${Math.floor(y * across)}`
}

function middle(members: readonly LatLng[]): LatLng {
  const sum = (of: (point: LatLng) => number) => members.reduce((total, point) => total + of(point), 0)
  return { lat: sum(({ lat }) => lat) / members.length, lng: sum(({ lng }) => lng) / members.length }
}
