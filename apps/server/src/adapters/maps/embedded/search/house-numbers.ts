import Flatbush from 'flatbush'
import type { SourceFeature } from '../source/map-source.ts'
import { middle, unitsIn } from './entry.ts'
import type { FindStreet } from './street-entries.ts'

/**
 * House numbers as columns, sorted by street and number: rows of street s are `start[s]` to `start[s + 1]`. `osm` is
 * the OpenStreetMap id times two, plus one for a way; `byOsm` lists the rows ordered by `osm`, then number.
 */
export interface HouseNumbers {
  start: Uint32Array
  number: Uint32Array
  street: Uint32Array
  x: Uint32Array
  y: Uint32Array
  osm: Float64Array
  /** Index of its locality text, such as "Pocitos, Montevideo". */
  locality: Uint16Array
  byOsm: Uint32Array
  /** Spatial index of all rows. */
  index: Flatbush
}

interface Row {
  street: number
  number: number
  x: number
  y: number
  osm: number
  locality: number
}

const cellMetres = 200

/**
 * Collects the house numbers of known streets; "2142,2146" on one door counts as two. `localityAt` returns the index of
 * a position's locality; it is called once per cell of about 200 m.
 */
export function buildHouseNumbers(
  features: SourceFeature[],
  find: FindStreet,
  streetCount: number,
  localityAt: (x: number, y: number) => number,
): HouseNumbers {
  const rows: Row[] = []
  const localityOf = new Map<string, number>()
  for (const { tags, shape, rings, id } of features) {
    const name = tags['addr:street']
    const numbers = tags['addr:housenumber']
    if (!name || !numbers) continue
    const { x, y } = middle(shape, rings[0] as number[])
    const street = find(name, x, y)
    if (street === undefined) continue
    const osm = Number(id.slice(1)) * 2 + (id.startsWith('w') ? 1 : 0)
    const cell = `${Math.floor(x / unitsIn(cellMetres, y))},${Math.floor(y / unitsIn(cellMetres, y))}`
    const locality = localityOf.get(cell) ?? localityAt(x, y)
    localityOf.set(cell, locality)
    for (const number of parseNumbers(numbers)) rows.push({ street, number, x, y, osm, locality })
  }
  rows.sort((a, b) => a.street - b.street || a.number - b.number || a.osm - b.osm)
  const column = (key: keyof Row) => Uint32Array.from(rows, (row) => row[key])
  const start = new Uint32Array(streetCount + 1)
  for (const { street } of rows) start[street + 1] = (start[street + 1] as number) + 1
  for (let street = 0; street < streetCount; street++) {
    start[street + 1] = (start[street + 1] as number) + (start[street] as number)
  }
  const index = new Flatbush(Math.max(1, rows.length), 16, Uint32Array)
  for (const { x, y } of rows) index.add(x, y)
  if (rows.length === 0) index.add(0, 0)
  index.finish()
  const osm = Float64Array.from(rows, (row) => row.osm)
  const byOsm = Uint32Array.from(rows, (_, row) => row).sort(
    (a, b) => (osm[a] as number) - (osm[b] as number) || a - b,
  )
  return {
    start,
    number: column('number'),
    street: column('street'),
    x: column('x'),
    y: column('y'),
    osm,
    locality: Uint16Array.from(rows, (row) => row.locality),
    byOsm,
    index,
  }
}

function parseNumbers(text: string): Iterable<number> {
  const single = Number(text)
  if (single >= 1 && single < 100_000) return [Math.floor(single)]
  const found = [...text.matchAll(/\d{1,5}/g)]
    .map(([digits]) => Number(digits))
    .filter((number) => number > 0)
  return new Set(found.slice(0, 8))
}

/** The row of a street's house number, or of the nearest one at most `within` away; null if none exists. */
export function nearestNumber(
  numbers: HouseNumbers,
  street: number,
  wanted: number,
  within: number,
): number | null {
  let low = numbers.start[street] as number
  const first = low
  const end = numbers.start[street + 1] as number
  let high = end
  while (low < high) {
    const middleRow = (low + high) >> 1
    if ((numbers.number[middleRow] as number) < wanted) low = middleRow + 1
    else high = middleRow
  }
  const above = low < end ? (numbers.number[low] as number) - wanted : Number.POSITIVE_INFINITY
  const below = low > first ? wanted - (numbers.number[low - 1] as number) : Number.POSITIVE_INFINITY
  if (Math.min(above, below) > within) return null
  return above <= below ? low : low - 1
}

/** The id of a row: the OpenStreetMap id with the number, because one door may have several. */
export function addressId(numbers: HouseNumbers, row: number): string {
  const osm = numbers.osm[row] as number
  return `${osm % 2 === 1 ? 'w' : 'n'}${Math.floor(osm / 2)}:${numbers.number[row]}`
}

/** The row of an id, or null. */
export function addressRow(numbers: HouseNumbers, id: string): number | null {
  const match = /^([nw])(\d{1,15}):(\d{1,5})$/.exec(id)
  if (!match) return null
  const osm = Number(match[2]) * 2 + (match[1] === 'w' ? 1 : 0)
  const { byOsm } = numbers
  let low = 0
  let high = byOsm.length
  while (low < high) {
    const middleAt = (low + high) >> 1
    if ((numbers.osm[byOsm[middleAt] as number] as number) < osm) low = middleAt + 1
    else high = middleAt
  }
  for (; low < byOsm.length; low++) {
    const row = byOsm[low] as number
    if (numbers.osm[row] !== osm) return null
    if (numbers.number[row] === Number(match[3])) return row
  }
  return null
}
