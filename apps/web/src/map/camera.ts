import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'

/** [west, south, east, north] in degrees. */
export type Bounds = [number, number, number, number]

/** Space in px between the framed points and the edges of the map. */
export interface CameraPadding {
  top: number
  bottom: number
  left: number
  right: number
}

/** The bounds [west, south, east, north] of some points, at least about 300 m wide; null for no points. */
export function boundsAround(points: readonly LatLng[]): Bounds | null {
  if (points.length === 0) return null
  const lats = points.map(({ lat }) => lat)
  const lngs = points.map(({ lng }) => lng)
  const least = 0.0015
  const [south, north] = widen(Math.min(...lats), Math.max(...lats), least)
  const [west, east] = widen(Math.min(...lngs), Math.max(...lngs), least)
  return [west, south, east, north]
}

/** Half the side of the square that shows a city, km. */
const cityKm = 7
/** Points this close to the middle of the others are never outliers, km. */
const alwaysMainKm = 3
/** A point this many times farther away than three quarters of the points is an outlier. */
const outlierFactor = 3
const kmPerDegree = 111.2

/** The corners of the square around a point, `halfKm` to each side. */
function square({ lat, lng }: LatLng, halfKm: number): Bounds {
  const high = halfKm / kmPerDegree
  const wide = high / Math.max(0.1, Math.cos((lat * Math.PI) / 180))
  return [lng - wide, lat - high, lng + wide, lat + high]
}

/** What a map shows that has nothing to frame: the city around the region's center, not all of a large region. */
export function cityBounds(center: LatLng, [west, south, east, north]: Bounds): Bounds {
  const around = square(center, cityKm)
  return [
    Math.max(west, around[0]),
    Math.max(south, around[1]),
    Math.min(east, around[2]),
    Math.min(north, around[3]),
  ]
}

/**
 * The southwest and northeast corners of the area in which most points are, at least `leastKm` to each side of its middle;
 * a few points far away, such as wrong positions, do not widen it. Empty for no points.
 */
export function mainArea(points: readonly LatLng[], leastKm: number): LatLng[] {
  const middle = { lat: median(points.map(({ lat }) => lat)), lng: median(points.map(({ lng }) => lng)) }
  const distances = points.map((point) => greatCircleKm(middle, point))
  const usual = distances.toSorted((a, b) => a - b)[Math.floor((points.length - 1) * 0.75)] ?? 0
  const limit = Math.max(alwaysMainKm, usual * outlierFactor)
  const [low, high] = cornersOf(points.filter((_, index) => (distances[index] ?? 0) <= limit))
  if (!low || !high) return []
  const [west, south, east, north] = square(
    { lat: (low.lat + high.lat) / 2, lng: (low.lng + high.lng) / 2 },
    leastKm,
  )
  return cornersOf([low, high, { lat: south, lng: west }, { lat: north, lng: east }])
}

/** The southwest and northeast corners of the points' extent; empty for no points. */
export function cornersOf(points: readonly LatLng[]): LatLng[] {
  const bounds = boundsAround(points)
  if (!bounds) return []
  const [west, south, east, north] = bounds
  return [
    { lat: south, lng: west },
    { lat: north, lng: east },
  ]
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
}

function widen(low: number, high: number, least: number): [number, number] {
  const missing = Math.max(0, least * 2 - (high - low)) / 2
  return [low - missing, high + missing]
}

/**
 * Whether the camera should move for points at these pixel positions on a map of `width` by `height` px: a point has
 * left the free area, or (if zooming in is possible) all of them fill less than a third of it in both directions.
 */
export function needsFit(
  drawn: readonly { x: number; y: number }[],
  width: number,
  height: number,
  padding: CameraPadding,
  mayComeCloser = true,
): boolean {
  if (drawn.length === 0) return false
  const slack = 24
  const free = {
    left: padding.left - slack,
    right: width - padding.right + slack,
    top: padding.top - slack,
    bottom: height - padding.bottom + slack,
  }
  const xs = drawn.map(({ x }) => x)
  const ys = drawn.map(({ y }) => y)
  if (Math.min(...xs) < free.left || Math.max(...xs) > free.right) return true
  if (Math.min(...ys) < free.top || Math.max(...ys) > free.bottom) return true
  const wide = (Math.max(...xs) - Math.min(...xs)) / (free.right - free.left)
  const high = (Math.max(...ys) - Math.min(...ys)) / (free.bottom - free.top)
  return mayComeCloser && drawn.length > 1 && wide < 1 / 3 && high < 1 / 3
}

/** Reduces the padding so that some of the map is always left for content. */
export function fittingPadding(padding: CameraPadding, width: number, height: number): CameraPadding {
  const across = Math.min(1, (width * 0.7) / Math.max(1, padding.left + padding.right))
  const down = Math.min(1, (height * 0.7) / Math.max(1, padding.top + padding.bottom))
  return {
    top: padding.top * down,
    bottom: padding.bottom * down,
    left: padding.left * across,
    right: padding.right * across,
  }
}
