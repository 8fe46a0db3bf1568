import type { LatLng } from '@hansom/domain/geo/point'
import Flatbush from 'flatbush'
import type { Place } from '../../port.ts'
import { toLatLng, toWorld } from '../world.ts'
import { type Entry, unitsIn } from './entry.ts'
import { addressId, addressRow, type HouseNumbers, nearestNumber } from './house-numbers.ts'
import { findIntersection, type Intersections } from './intersections.ts'
import { NameSearch, type RankSignals } from './name-search.ts'
import type { WordIndex } from './word-index.ts'
import { words } from './words.ts'

/** Maximum difference to an existing house number for a "nearest" result; beyond it, the result is the street. */
const numberSlack = 60
const doorMetres = 60
/** At this distance, proximity counts half. */
const nearMetres = 3_000
const completeFit = 0.9
const streetFit = 0.75
const placeMetres = 1_000

/** All names and house numbers of the region. */
export class Directory {
  private readonly names: NameSearch
  private readonly at: LatLng[]
  private readonly byId: Map<string, number>
  private readonly placeIndex: Flatbush
  private readonly placeOf: number[] = []

  constructor(
    private readonly entries: Entry[],
    private readonly localities: string[],
    private readonly numbers: HouseNumbers,
    private readonly crossings: Intersections,
    index: WordIndex,
  ) {
    this.names = new NameSearch(index)
    this.at = entries.map(({ x, y, stop }) => toLatLng(stop?.x ?? x, stop?.y ?? y))
    this.byId = new Map(entries.map(({ id }, entry) => [id, entry]))
    entries.forEach(({ kind }, entry) => {
      if (kind === 'place') this.placeOf.push(entry)
    })
    this.placeIndex = new Flatbush(Math.max(1, this.placeOf.length), 16, Uint32Array)
    for (const entry of this.placeOf)
      this.placeIndex.add(entries[entry]?.x as number, entries[entry]?.y as number)
    if (this.placeOf.length === 0) this.placeIndex.add(0, 0)
    this.placeIndex.finish()
  }

  /**
   * Best first: names that match the complete query; otherwise house numbers and intersections, then names, typos
   * allowed.
   */
  search(text: string, near: LatLng | undefined, limit: number): Place[] {
    const query = readQuery(text)
    if (query.words.length === 0) return []
    const signals = this.rankSignals(near)
    const isListed = (name: number) => this.entries[name]?.unlisted !== true
    const asTyped = this.names.findAsTyped(query.words, limit, signals, isListed)
    if ((asTyped[0]?.fit ?? 0) > completeFit) return asTyped.map(({ name }) => this.entryPlace(name))
    const special = [...this.addresses(query, signals), ...this.corners(query, signals)]
    const named = special.length > 0 ? asTyped : this.names.find(query.words, limit, signals, isListed)
    const isFound = special.some(
      ({ kind, missingNumber }) => kind === 'address' && missingNumber === undefined,
    )
    const places = named.map(({ name }) =>
      isFound ? this.entryPlace(name) : this.withoutNumber(this.entryPlace(name), query),
    )
    return [...special, ...places].slice(0, limit)
  }

  /** Marks a street result of a query for a house number as missing that number. */
  private withoutNumber(place: Place, { numbered }: Query): Place {
    if (!numbered || place.kind !== 'street') return place
    const isInName = words(place.label).includes(String(numbered.number))
    return isInName ? place : { ...place, missingNumber: numbered.number }
  }

  private rankSignals(near: LatLng | undefined): RankSignals {
    const importance = (name: number) => (this.entries[name] as Entry).importance
    if (!near) return { importance, nearness: () => 0 }
    const { x, y } = toWorld(near)
    const scale = 1 / unitsIn(nearMetres, y)
    const nearness = (name: number) => {
      const entry = this.entries[name] as Entry
      return 1 / (1 + Math.hypot(entry.x - x, entry.y - y) * scale)
    }
    return { importance, nearness }
  }

  /** The streets that match the words, best first. */
  private streets(words: string[], limit: number, signals: RankSignals): number[] {
    const isStreet = (name: number) => this.entries[name]?.kind === 'street'
    return this.names
      .find(words, limit, signals, isStreet)
      .filter(({ fit }) => fit > streetFit)
      .map(({ name }) => name)
  }

  private addresses({ numbered }: Query, signals: RankSignals): Place[] {
    if (!numbered) return []
    return this.streets(numbered.words, 4, signals).flatMap((street) => {
      const row = nearestNumber(this.numbers, street, numbered.number, numberSlack)
      if (row === null) return []
      const isNearest = this.numbers.number[row] !== numbered.number
      return [{ ...this.addressPlace(row), ...(isNearest ? { missingNumber: numbered.number } : {}) }]
    })
  }

  private corners({ intersections: corners }: Query, signals: RankSignals): Place[] {
    const rows = new Map<number, Place>()
    for (const [one, other] of corners) {
      const ones = this.streets(one, 6, signals)
      const others = ones.length === 0 ? [] : this.streets(other, 6, signals)
      for (const a of ones) {
        for (const b of others) {
          const row = findIntersection(this.crossings, a, b)
          if (row !== null && !rows.has(row)) rows.set(row, this.crossingPlace(row, a, b))
        }
      }
    }
    return [...rows.values()]
  }

  /** The place that `search` or `address` returned with this id, or null. */
  place(id: string): Place | null {
    const entry = this.byId.get(id)
    if (entry !== undefined) return this.entryPlace(entry)
    const row = addressRow(this.numbers, id)
    if (row !== null) return this.addressPlace(row)
    const corner = id.split('+').map((street) => this.byId.get(street))
    const [one, other] = corner
    if (corner.length !== 2 || one === undefined || other === undefined) return null
    const crossing = findIntersection(this.crossings, one, other)
    return crossing === null ? null : this.crossingPlace(crossing, one, other)
  }

  /** The nearest house number within 60 m, or null. If several numbers share a door, the lowest. */
  nearestHouseNumber(point: LatLng): Place | null {
    const { number, x: xs, y: ys, index } = this.numbers
    if (number.length === 0) return null
    const { x, y } = toWorld(point)
    const [nearest, ...more] = index.neighbors(x, y, 8, unitsIn(doorMetres, y))
    if (nearest === undefined) return null
    const sameDoor = more.filter((row) => xs[row] === xs[nearest] && ys[row] === ys[nearest])
    return this.addressPlace(Math.min(nearest, ...sameDoor))
  }

  /** The nearest named place within one kilometer, or null. */
  nearestPlace(point: LatLng): Place | null {
    const { x, y } = toWorld(point)
    const [item] = this.placeIndex.neighbors(x, y, 1, unitsIn(placeMetres, y))
    const entry = item === undefined ? undefined : this.placeOf[item]
    return entry === undefined ? null : this.entryPlace(entry)
  }

  /** A street by its index in the entries, at a given point on it. */
  streetAt(entry: number, point: LatLng): Place {
    const { x, y } = toWorld(point)
    return { ...this.entryPlace(entry), detail: this.locality(x, y), ...point }
  }

  private entryPlace(entry: number): Place {
    const { id, label, detail, kind } = this.entries[entry] as Entry
    return { id, label, detail, kind, ...(this.at[entry] as LatLng) }
  }

  private addressPlace(row: number): Place {
    const street = this.entries[this.numbers.street[row] as number] as Entry
    return {
      id: addressId(this.numbers, row),
      label: `${street.label} ${this.numbers.number[row]}`,
      detail: this.localities[this.numbers.locality[row] as number] as string,
      kind: 'address',
      ...toLatLng(this.numbers.x[row] as number, this.numbers.y[row] as number),
    }
  }

  private crossingPlace(row: number, one: number, other: number): Place {
    const [a, b] = [this.entries[one] as Entry, this.entries[other] as Entry]
    const [x, y] = [this.crossings.x[row] as number, this.crossings.y[row] as number]
    return {
      id: `${a.id}+${b.id}`,
      label: `${a.label} / ${b.label}`,
      detail: this.locality(x, y),
      kind: 'address',
      ...toLatLng(x, y),
    }
  }

  /** The second line of a result: that of the nearest house number, empty if none is within one kilometer. */
  private locality(x: number, y: number): string {
    const [row] = this.numbers.index.neighbors(x, y, 1, unitsIn(placeMetres, y))
    const known = row === undefined ? undefined : this.numbers.locality[row]
    return known === undefined ? '' : (this.localities[known] as string)
  }
}

/** A parsed search: all words, its reading as a street with house number, its readings as an intersection. */
interface Query {
  words: string[]
  numbered: { words: string[]; number: number } | null
  intersections: [string[], string[]][]
}

const longest = 120
const mostWords = 8
const corner = /\s+(?:y|e|esq\.?|esquina|con|&)\s+|\s*[/&]\s*/giu

/**
 * Parses a search. Text after a comma is a location hint ("18 de Julio 1234, Montevideo") and is dropped unless nothing
 * precedes it. A number is a house number unless it is the first word ("18 de Julio").
 */
export function readQuery(text: string): Query {
  const cut = text.slice(0, longest)
  const head = words(cut.split(',')[0] ?? '')
  const all = (head.length > 0 ? head : words(cut)).slice(0, mostWords)
  const at = all.findLastIndex((word, index) => index > 0 && /^\d{1,5}$/.test(word))
  const numbered = at > 0 ? { words: all.filter((_, index) => index !== at), number: Number(all[at]) } : null
  const corners: [string[], string[]][] = []
  for (const match of cut.matchAll(corner)) {
    const one = words(cut.slice(0, match.index)).slice(0, mostWords)
    const other = words(cut.slice(match.index + match[0].length)).slice(0, mostWords)
    if (one.length > 0 && other.length > 0 && corners.length < 2) corners.push([one, other])
  }
  return { words: all, numbered, intersections: corners }
}
