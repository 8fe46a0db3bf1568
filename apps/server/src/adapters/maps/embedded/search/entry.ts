import { boundsOf } from '../source/join-rings.ts'
import type { Box } from '../source/map-source.ts'
import { metresPerUnit } from '../world.ts'

/** A street or a named place while the map is prepared; x and y in world units, importance 0 to 1. */
export interface Entry {
  id: string
  label: string
  detail: string
  kind: 'street' | 'place'
  x: number
  y: number
  importance: number
  /** Other names and languages. */
  alsoKnownAs: string[]
  /** Index of its locality, see `Localities`. */
  locality: number
  /** The pseudo-word of its kind, see `kindToken`. */
  kindToken?: string
  /** Where a car stops, if not at `x` and `y`: a large place is labeled in the middle and entered elsewhere. */
  stop?: { x: number; y: number }
  /** A street that results hide in favor of a place with the same name, such as the street around a square. */
  unlisted?: true
}

export const middleOf = ({ west, north, east, south }: Box): { x: number; y: number } => ({
  x: Math.round((west + east) / 2),
  y: Math.round((north + south) / 2),
})

/** A feature's middle: a point itself, a line's middle vertex, the center of an area's bounds. */
export function middle(shape: 'point' | 'line' | 'area', ring: number[]): { x: number; y: number } {
  if (shape !== 'area') {
    const at = (ring.length >> 2) * 2
    return { x: ring[at] as number, y: ring[at + 1] as number }
  }
  return middleOf(boundsOf([ring]))
}

/** World units per this many meters at this y. */
export function unitsIn(metres: number, y: number): number {
  return metres / metresPerUnit(y)
}
