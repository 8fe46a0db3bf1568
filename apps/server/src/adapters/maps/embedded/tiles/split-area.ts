import { boundsOf } from '../source/join-rings.ts'
import type { Box } from '../source/map-source.ts'

const mostPoints = 1_500
const mostSplits = 12
/** Of a part's longer side: parts that only touch would show a seam. */
const overlap = 1 / 100

/**
 * Cuts an area with very many points into halves until each part is small, because every tile that shows a part of an
 * area is cut from all of its points. Rings are an outline and its holes; parts have edges along the cuts.
 */
export function splitArea(rings: number[][], splits = 0): number[][][] {
  const points = rings.reduce((sum, ring) => sum + ring.length / 2, 0)
  if (points <= mostPoints || splits === mostSplits) return [rings]
  const box = boundsOf(rings.slice(0, 1))
  const [width, height] = [box.east - box.west, box.south - box.north]
  const [x, y] = [box.west + Math.round(width / 2), box.north + Math.round(height / 2)]
  const more = Math.round(Math.max(width, height) * overlap)
  const halves =
    width > height
      ? [
          { ...box, east: x + more },
          { ...box, west: x - more },
        ]
      : [
          { ...box, south: y + more },
          { ...box, north: y - more },
        ]
  return halves.flatMap((half) => {
    const clipped = rings.map((ring) => clipRing(ring, half))
    const [outer, ...holes] = clipped
    if (!outer || outer.length < 8) return []
    return splitArea([outer, ...holes.filter((hole) => hole.length >= 8)], splits + 1)
  })
}

/** Clips a closed ring to a box (Sutherland and Hodgman, 1974). Empty if nothing is left. */
export function clipRing(ring: number[], { west, north, east, south }: Box): number[] {
  const sides: [axis: 0 | 1, at: number, keepsGreater: boolean][] = [
    [0, west, true],
    [0, east, false],
    [1, north, true],
    [1, south, false],
  ]
  let points = ring.slice(0, -2)
  for (const [axis, at, keepsGreater] of sides) {
    const kept: number[] = []
    for (let i = 0; i < points.length; i += 2) {
      const j = (i + points.length - 2) % points.length
      const from = points[j + axis] as number
      const to = points[i + axis] as number
      const wasIn = from >= at === keepsGreater || from === at
      const isIn = to >= at === keepsGreater || to === at
      if (wasIn !== isIn) {
        const share = (at - from) / (to - from)
        const other =
          (points[j + 1 - axis] as number) +
          share * ((points[i + 1 - axis] as number) - (points[j + 1 - axis] as number))
        kept.push(...(axis === 0 ? [at, Math.round(other)] : [Math.round(other), at]))
      }
      if (isIn) kept.push(points[i] as number, points[i + 1] as number)
    }
    points = kept
  }
  return points.length < 6 ? [] : [...points, points[0] as number, points[1] as number]
}
