import { metresPerUnit } from '../world.ts'

/** A street or a named place as it stands in the prepared map; x and y in world units, importance 0 to 1. */
export interface Entry {
  id: string
  label: string
  detail: string
  kind: 'street' | 'place'
  x: number
  y: number
  importance: number
  alsoKnownAs: string[]
}

/** A feature's middle: of a point itself, of a line the vertex half-way, of an area the middle of its bounds. */
export function middle(shape: 'point' | 'line' | 'area', ring: number[]): { x: number; y: number } {
  if (shape !== 'area') {
    const at = (ring.length >> 2) * 2
    return { x: ring[at] as number, y: ring[at + 1] as number }
  }
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < ring.length; i += 2) {
    west = Math.min(west, ring[i] as number)
    east = Math.max(east, ring[i] as number)
    north = Math.min(north, ring[i + 1] as number)
    south = Math.max(south, ring[i + 1] as number)
  }
  return { x: Math.round((west + east) / 2), y: Math.round((north + south) / 2) }
}

/** World units in this many metres at this height of the map. */
export function unitsIn(metres: number, y: number): number {
  return metres / metresPerUnit(y)
}
