import { column, type Pack } from '../pack.ts'
import type { SourceFeature } from '../source/map-source.ts'
import { streetName } from './name-tags.ts'
import { lowerBound } from './sorted-rows.ts'
import type { FindStreet } from './street-entries.ts'

/** Street intersections: pairs of entries, the smaller first, sorted, one row per pair; positions in world units. */
export interface Intersections {
  one: Uint32Array
  other: Uint32Array
  x: Uint32Array
  y: Uint32Array
}

/** The columns of every vertex shared by lines of two different streets. */
export function intersectionColumns(features: readonly SourceFeature[], find: FindStreet): Pack {
  const vertices = new VertexTable(
    features.reduce((sum, { rings }) => sum + rings.reduce((points, ring) => points + ring.length / 2, 0), 0),
  )
  const rows = new Map<number, { one: number; other: number; x: number; y: number }>()
  for (const { tags, rings } of features) {
    const name = streetName(tags)
    for (const ring of rings) {
      const at = (ring.length >> 2) * 2
      const street = name && find(name, ring[at] as number, ring[at + 1] as number)
      if (typeof street !== 'number') continue
      for (let i = 0; i < ring.length; i += 2) {
        const [x, y] = [ring[i] as number, ring[i + 1] as number]
        for (const known of vertices.add(x, y, street)) {
          const [one, other] = known < street ? [known, street] : [street, known]
          rows.set(one * 2 ** 26 + other, { one, other, x, y })
        }
      }
    }
  }
  const sorted = [...rows.values()].sort((a, b) => a.one - b.one || a.other - b.other)
  const u32 = (key: 'one' | 'other' | 'x' | 'y') => Uint32Array.from(sorted, (row) => row[key])
  return { crossingOne: u32('one'), crossingOther: u32('other'), crossingX: u32('x'), crossingY: u32('y') }
}

/** Intersections from their columns. Throws if a column is missing. */
export function intersectionsFrom(pack: Pack): Intersections {
  const u32 = (name: string) => column(pack, name, 'Uint32Array')
  return { one: u32('crossingOne'), other: u32('crossingOther'), x: u32('crossingX'), y: u32('crossingY') }
}

const unused = 2 ** 32 - 1

/** A hash table from vertices to the streets that pass them, in flat arrays: there are millions of vertices. */
class VertexTable {
  private readonly x: Uint32Array
  private readonly y: Uint32Array
  private readonly street: Uint32Array
  private readonly mask: number
  /** Further streets of a slot. */
  private readonly more = new Map<number, number[]>()

  constructor(mostVertices: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(4, mostVertices * 1.5)))
    this.mask = size - 1
    this.x = new Uint32Array(size)
    this.y = new Uint32Array(size)
    this.street = new Uint32Array(size).fill(unused)
  }

  /** Adds a street to a vertex and returns the others that pass it. */
  add(x: number, y: number, street: number): number[] {
    let slot = (Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b)) >>> 0
    slot = (slot ^ (slot >>> 15)) & this.mask
    while (this.street[slot] !== unused && (this.x[slot] !== x || this.y[slot] !== y))
      slot = (slot + 1) & this.mask
    const first = this.street[slot] as number
    if (first === unused) {
      this.x[slot] = x
      this.y[slot] = y
      this.street[slot] = street
      return []
    }
    const all = [first, ...(this.more.get(slot) ?? [])]
    if (!all.includes(street)) this.more.set(slot, [...all.slice(1), street])
    return all.filter((other) => other !== street)
  }
}

/** The row of the intersection of two streets, in either order, or null if they do not meet. */
export function findIntersection({ one, other }: Intersections, a: number, b: number): number | null {
  const [first, second] = a < b ? [a, b] : [b, a]
  const row = lowerBound(
    0,
    one.length,
    (at) => ((one[at] as number) - first || (other[at] as number) - second) < 0,
  )
  return one[row] === first && other[row] === second ? row : null
}
