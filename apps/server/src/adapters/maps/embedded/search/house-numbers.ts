import Flatbush from 'flatbush'
import { column, type Pack } from '../pack.ts'
import type { AddressRow } from './address-rows.ts'
import { numberKey, numberOrder } from './house-number-text.ts'
import { lowerBound } from './sorted-rows.ts'
import { TextBlock, textColumns } from './text-block.ts'

/**
 * House numbers as columns, sorted by street and number: rows of entry s are `start[s]` to `start[s + 1]`. `osm` is the
 * OpenStreetMap id times four, plus one for a way or two for a relation; `byOsm` lists the rows ordered by `osm`.
 */
export interface HouseNumbers {
  start: Uint32Array
  /** The integer it is ordered by. */
  number: Uint32Array
  /** Index of its text in `texts`; 0 if the text is the integer. */
  text: Uint32Array
  texts: TextBlock
  /** Index of the entry it belongs to: a street, or a place in villages without street names. */
  street: Uint32Array
  x: Uint32Array
  y: Uint32Array
  osm: Float64Array
  /** Index of its locality text, such as "Pocitos, Montevideo". */
  locality: Uint32Array
  byOsm: Uint32Array
  /** Spatial index of all rows. */
  index: Flatbush
}

const types = 'nwr'

/** The columns of the rows; `positionOf` returns the index of a row's owner, below `entryCount`. */
export function houseNumberColumns(
  unsorted: readonly AddressRow[],
  positionOf: (row: AddressRow) => number,
  entryCount: number,
): Pack {
  const sorting = Float64Array.from(unsorted, (row) => positionOf(row) * 2 ** 20 + numberOrder(row.text))
  const osmOf = Float64Array.from(unsorted, ({ id }) => Number(id.slice(1)) * 4 + types.indexOf(id.charAt(0)))
  const order = Uint32Array.from(unsorted.keys()).sort(
    (a, b) =>
      (sorting[a] as number) - (sorting[b] as number) || (osmOf[a] as number) - (osmOf[b] as number) || a - b,
  )
  const rows = Array.from(order, (at) => unsorted[at] as AddressRow)
  const number = Uint32Array.from(order, (at) => (sorting[at] as number) % 2 ** 20)
  const street = Uint32Array.from(order, (at) => Math.floor((sorting[at] as number) / 2 ** 20))
  const osm = Float64Array.from(order, (at) => osmOf[at] as number)
  const start = new Uint32Array(entryCount + 1)
  for (const owner of street) start[owner + 1] = (start[owner + 1] as number) + 1
  for (let owner = 0; owner < entryCount; owner++) {
    start[owner + 1] = (start[owner + 1] as number) + (start[owner] as number)
  }
  const index = new Flatbush(Math.max(1, rows.length), 16, Uint32Array)
  for (const { x, y } of rows) index.add(x, y)
  if (rows.length === 0) index.add(0, 0)
  index.finish()
  const textOf = new Map([['', 0]])
  const text = Uint32Array.from(rows, (row, at) => {
    const key = row.text === String(number[at]) ? '' : row.text
    const known = textOf.get(key) ?? textOf.size
    textOf.set(key, known)
    return known
  })
  const u32 = (key: 'x' | 'y' | 'locality') => Uint32Array.from(rows, (row) => row[key])
  return {
    start,
    number,
    text,
    ...textColumns('texts', [...textOf.keys()]),
    street,
    x: u32('x'),
    y: u32('y'),
    osm,
    locality: u32('locality'),
    byOsm: Uint32Array.from(rows, (_, row) => row).sort(
      (a, b) => (osm[a] as number) - (osm[b] as number) || a - b,
    ),
    index: new Uint8Array(index.data),
  }
}

/** House numbers from their columns. Throws if a column is missing. */
export function houseNumbersFrom(pack: Pack): HouseNumbers {
  const u32 = (name: string) => column(pack, name, 'Uint32Array')
  const index = column(pack, 'index', 'Uint8Array')
  return {
    start: u32('start'),
    number: u32('number'),
    text: u32('text'),
    texts: new TextBlock(pack, 'texts'),
    street: u32('street'),
    x: u32('x'),
    y: u32('y'),
    osm: column(pack, 'osm', 'Float64Array'),
    locality: u32('locality'),
    byOsm: u32('byOsm'),
    index: Flatbush.from(index.buffer, index.byteOffset),
  }
}

/** The house number of a row, as tagged. */
export function numberText({ text, texts, number }: HouseNumbers, row: number): string {
  const at = text[row] as number
  return at === 0 ? String(number[row]) : texts.at(at)
}

/** Whether a street or place has house numbers. */
export function hasNumbers({ start }: HouseNumbers, street: number): boolean {
  return (start[street + 1] as number) > (start[street] as number)
}

/**
 * The row of a house number of a street by its key (see `numberKey`); otherwise one with the same integer, or the
 * nearest integer at most `within` away. Null if none exists.
 */
export function findNumber(
  numbers: HouseNumbers,
  street: number,
  wanted: number,
  wantedKey: string,
  within: number,
): number | null {
  const first = numbers.start[street] as number
  const end = numbers.start[street + 1] as number
  const low = lowerBound(first, end, (row) => (numbers.number[row] as number) < wanted)
  const same: number[] = []
  for (let row = low; row < end && numbers.number[row] === wanted; row++) same.push(row)
  const keysOf = same.map((row) => numberKey(numberText(numbers, row)))
  for (const key of [wantedKey, String(wanted)]) {
    const at = keysOf.indexOf(key)
    if (at >= 0) return same[at] as number
  }
  if (same.length > 0) return same[0] as number
  const above = low < end ? (numbers.number[low] as number) - wanted : Number.POSITIVE_INFINITY
  const below = low > first ? wanted - (numbers.number[low - 1] as number) : Number.POSITIVE_INFINITY
  if (Math.min(above, below) > within) return null
  return above <= below ? low : low - 1
}

/** The id of a row: the OpenStreetMap id with the number's key, because one object may have several. */
export function addressId(numbers: HouseNumbers, row: number): string {
  const osm = numbers.osm[row] as number
  return `${types.charAt(osm % 4)}${Math.floor(osm / 4)}:${numberKey(numberText(numbers, row))}`
}

/** The row of an id, or null. */
export function addressRow(numbers: HouseNumbers, id: string): number | null {
  const match = /^([nwr])(\d{1,15}):(.{1,20})$/u.exec(id)
  if (!match) return null
  const osm = Number(match[2]) * 4 + types.indexOf(match[1] as string)
  const { byOsm } = numbers
  const osmAt = (at: number) => numbers.osm[byOsm[at] as number] as number
  let at = lowerBound(0, byOsm.length, (index) => osmAt(index) < osm)
  for (; at < byOsm.length && osmAt(at) === osm; at++) {
    const row = byOsm[at] as number
    if (numberKey(numberText(numbers, row)) === match[3]) return row
  }
  return null
}
