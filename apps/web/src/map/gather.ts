import type { LatLng } from '@hansom/domain/geo/point'

/** A heap of what stands close together, or one alone. */
export interface Gathered<P> extends LatLng {
  /** Stays the same while what it is made of does. */
  key: string
  members: P[]
}

/** Unless told otherwise, so many stand each for itself, however close. */
export const mostAlone = 200
/** From this zoom on a street is wide enough for all. */
const aloneFromZoom = 15.5
/** The side of a square whose cars become one heap, in px. */
const squarePx = 76
/** Width of the world at zoom 0, in px. */
const worldPx = 512

/** Heaps that would be drawn nearer to each other than this, in px, become one. */
const apartPx = 50

interface Heap<P> {
  square: string
  /** On the map's projection, in px. */
  x: number
  y: number
  members: P[]
}

/**
 * Gathers points for a zoom of the map: beyond `alone` of them, those of one square of the screen, and what would
 * still be drawn over each other. The squares stand still while the map is moved. Pure.
 */
export function gather<P extends LatLng & { id: string }>(
  points: readonly P[],
  zoom: number,
  alone = mostAlone,
): Gathered<P>[] {
  const itself = (point: P): Gathered<P> => ({
    key: point.id,
    lat: point.lat,
    lng: point.lng,
    members: [point],
  })
  if (points.length <= alone || zoom >= aloneFromZoom) return points.map(itself)
  const level = Math.round(zoom * 2) / 2
  return apart(inSquares(points, worldPx * 2 ** level)).map(({ square, members }) => {
    const [only] = members
    return only && members.length === 1
      ? itself(only)
      : { key: `${level}:${square}`, ...middle(members), members }
  })
}

/** `across` is the width of the world in px. */
function inSquares<P extends LatLng>(points: readonly P[], across: number): Heap<P>[] {
  const squares = new Map<string, P[]>()
  for (const point of points) {
    const { x, y } = projected(point, across)
    const square = `${Math.floor(x / squarePx)},${Math.floor(y / squarePx)}`
    const members = squares.get(square)
    if (members) members.push(point)
    else squares.set(square, [point])
  }
  return [...squares].map(([square, members]) => ({
    square,
    ...projected(middle(members), across),
    members,
  }))
}

/** The greater heap takes in what stands in its way. */
function apart<P>(heaps: readonly Heap<P>[]): Heap<P>[] {
  const kept: Heap<P>[] = []
  for (const heap of heaps.toSorted((a, b) => b.members.length - a.members.length)) {
    const near = kept.find(({ x, y }) => Math.hypot(x - heap.x, y - heap.y) < apartPx)
    if (near) near.members.push(...heap.members)
    else kept.push(heap)
  }
  return kept
}

/** Where a point lies on the map's projection, of a world so many px wide. */
function projected({ lat, lng }: LatLng, across: number): { x: number; y: number } {
  const sine = Math.sin((lat * Math.PI) / 180)
  return {
    x: (lng / 360 + 0.5) * across,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across,
  }
}

function middle(members: readonly LatLng[]): LatLng {
  const sum = (of: (point: LatLng) => number) => members.reduce((total, point) => total + of(point), 0)
  return { lat: sum(({ lat }) => lat) / members.length, lng: sum(({ lng }) => lng) / members.length }
}
