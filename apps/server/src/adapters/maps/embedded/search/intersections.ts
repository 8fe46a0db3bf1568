import type { SourceFeature } from '../source/map-source.ts'
import type { FindStreet } from './street-entries.ts'

/** Street intersections: pairs of entries, the smaller first, sorted, one row per pair; positions in world units. */
export interface Intersections {
  one: Uint32Array
  other: Uint32Array
  x: Uint32Array
  y: Uint32Array
}

/** Finds every vertex shared by lines of two different streets. */
export function buildIntersections(features: SourceFeature[], find: FindStreet): Intersections {
  const streetsAt = new Map<string, number[]>()
  for (const { tags, shape, rings } of features) {
    if (shape !== 'line' || !tags.highway || !tags.name) continue
    for (const ring of rings) {
      const street = find(tags.name, ring[0] as number, ring[1] as number)
      if (street === undefined) continue
      for (let i = 0; i < ring.length; i += 2) {
        const key = `${ring[i]},${ring[i + 1]}`
        const known = streetsAt.get(key)
        if (!known) streetsAt.set(key, [street])
        else if (!known.includes(street)) known.push(street)
      }
    }
  }
  const rows = new Map<string, { one: number; other: number; x: number; y: number }>()
  for (const [key, streets] of streetsAt) {
    const [x, y] = key.split(',').map(Number) as [number, number]
    for (const one of streets)
      for (const other of streets) if (one < other) rows.set(`${one} ${other}`, { one, other, x, y })
  }
  const sorted = [...rows.values()].sort((a, b) => a.one - b.one || a.other - b.other)
  return {
    one: Uint32Array.from(sorted, (row) => row.one),
    other: Uint32Array.from(sorted, (row) => row.other),
    x: Uint32Array.from(sorted, (row) => row.x),
    y: Uint32Array.from(sorted, (row) => row.y),
  }
}

/** The row of the intersection of two streets, in either order, or null if they do not meet. */
export function findIntersection({ one, other }: Intersections, a: number, b: number): number | null {
  const [first, second] = a < b ? [a, b] : [b, a]
  let low = 0
  let high = one.length
  while (low < high) {
    const middle = (low + high) >> 1
    const before = (one[middle] as number) - first || (other[middle] as number) - second
    if (before < 0) low = middle + 1
    else high = middle
  }
  return one[low] === first && other[low] === second ? low : null
}
