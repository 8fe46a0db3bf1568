import type { LatLng } from '@hansom/domain/geo/point'

/** Space in px between the framed points and the edges of the map. */
export interface CameraPadding {
  top: number
  bottom: number
  left: number
  right: number
}

/** The bounds [west, south, east, north] of some points, at least about 300 m wide; null for no points. */
export function boundsAround(points: readonly LatLng[]): [number, number, number, number] | null {
  if (points.length === 0) return null
  const lats = points.map(({ lat }) => lat)
  const lngs = points.map(({ lng }) => lng)
  const least = 0.0015
  const [south, north] = widen(Math.min(...lats), Math.max(...lats), least)
  const [west, east] = widen(Math.min(...lngs), Math.max(...lngs), least)
  return [west, south, east, north]
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
