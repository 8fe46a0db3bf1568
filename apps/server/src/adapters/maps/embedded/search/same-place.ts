import type { Box } from '../source/map-source.ts'
import { metresBetween } from '../world.ts'
import { type Entry, unitsIn } from './entry.ts'
import { isWithin } from './stopping-points.ts'
import { nameKey } from './words.ts'

/** A place in the data; several may describe the same one. */
export interface Found {
  entry: Entry
  /** Its street and house number; empty if the data has none. */
  street: string
  /** A neighborhood or town, not a single spot. */
  isLocality: boolean
  /** Only for an area. */
  bounds: Box | null
  /** Meters from the nearest street. */
  away(): number
}

const cellMetres = 1_500
const mostCells = 400

/**
 * Places without duplicates: of those with one name at one spot, the most important one remains, or else the one
 * nearest to a street. Each is compared with the others of its name around it only.
 */
export function uniquePlaces(found: readonly Found[]): Found[] {
  const byName = new Map<string, Found[]>()
  for (const one of found) {
    const key = nameKey(one.entry.label)
    const alike = byName.get(key)
    if (alike) alike.push(one)
    else byName.set(key, [one])
  }
  return [...byName.values()].flatMap((alike) => (alike.length === 1 ? alike : uniqueOf(alike)))
}

function uniqueOf(alike: readonly Found[]): Found[] {
  const ranked = alike
    .map((one) => ({ one, away: one.away() }))
    .sort((a, b) => b.one.entry.importance - a.one.entry.importance || a.away - b.away)
  const kept: Found[] = []
  const byCell = new Map<string, Found[]>()
  const cell = unitsIn(cellMetres, alike[0]?.entry.y ?? 0)
  for (const { one } of ranked) {
    const { x, y } = one.entry
    const around = byCell.get(`${Math.floor(x / cell)},${Math.floor(y / cell)}`)
    if (around?.some((other) => isSame(other, one))) continue
    kept.push(one)
    for (const key of cellsAround(one, cell)) {
      const known = byCell.get(key)
      if (known) known.push(one)
      else byCell.set(key, [one])
    }
  }
  return kept
}

/** The cells in which a duplicate of the place may be: its grounds and one cell around. */
function cellsAround({ entry: { x, y }, bounds }: Found, cell: number): string[] {
  const box = bounds ?? { west: x, north: y, east: x, south: y }
  const keys: string[] = []
  for (let column = Math.floor(box.west / cell) - 1; column <= Math.floor(box.east / cell) + 1; column++)
    for (let row = Math.floor(box.north / cell) - 1; row <= Math.floor(box.south / cell) + 1; row++)
      if (keys.length < mostCells) keys.push(`${column},${row}`)
  return keys
}

const sameSpotMetres = 150
const sameAddressMetres = 500
const sameLocalityMetres = 1_000
const insideMetres = 200

/**
 * Whether two records with the same name are one place: within the other's grounds, at its street address, or close to
 * it.
 */
function isSame(one: Found, other: Found): boolean {
  const [a, b] = [one.entry, other.entry]
  if (one.bounds && !one.isLocality && isWithin(b, one.bounds, insideMetres)) return true
  if (one.isLocality !== other.isLocality) return false
  const metres = metresBetween(a.x, a.y, b.x, b.y)
  if (one.isLocality) return metres <= sameLocalityMetres
  if (one.street !== '' && other.street !== '') {
    return one.street === other.street && metres <= sameAddressMetres
  }
  return metres <= sameSpotMetres
}
