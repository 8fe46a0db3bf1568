import type { LatLng } from '@hansom/domain/geo/point'
import type { Place } from '../../port.ts'
import { metresPerUnit, toLatLng, toWorld } from '../world.ts'
import { unitsIn } from './entry.ts'
import { addressLabel } from './house-number-text.ts'
import {
  addressId,
  addressRow,
  findNumber,
  type HouseNumbers,
  hasNumbers,
  numberText,
} from './house-numbers.ts'
import { findIntersection, type Intersections } from './intersections.ts'
import { type NameMatch, type NameQuery, NameSearch } from './name-search.ts'
import type { NameTable } from './name-table.ts'
import { type NumberedReading, type Query, readQuery } from './read-query.ts'
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
const mostAround = 200
const aroundMetres = 20_000
/** Streets considered for a house number: a name may be common in the region. */
const mostStreets = 24
const mostAddresses = 4
const mostCornerStreets = 6

/** What a directory is made of. */
export interface DirectoryParts {
  names: NameTable
  index: WordIndex
  numbers: HouseNumbers
  crossings: Intersections
  /** Texts such as "Pocitos, Montevideo", and all words of each, postcodes included. */
  localities: { texts: string[]; words: string[][] }
  /** ISO 3166-1 alpha-2: whether house numbers precede the street. */
  countryCode: string
}

interface AddressMatch {
  row: number
  fit: number
  hinted: number
  isExact: boolean
}

/** All names and house numbers of the region. */
export class Directory {
  private readonly nameSearch: NameSearch
  private readonly names: NameTable
  private readonly numbers: HouseNumbers
  private readonly crossings: Intersections

  constructor(private readonly parts: DirectoryParts) {
    this.names = parts.names
    this.numbers = parts.numbers
    this.crossings = parts.crossings
    this.nameSearch = new NameSearch(parts.index, parts.localities.words, parts.names.locality)
  }

  /**
   * Best first: names that match the complete query; otherwise house numbers and intersections, then names, typos
   * allowed.
   */
  search(text: string, near: LatLng | undefined, limit: number): Place[] {
    const query = this.streetFirst(readQuery(text))
    if (query.words.length === 0) return []
    const listed = this.nameQuery(query.hints, near, limit, (name) => this.names.isListed(name))
    const asTyped = this.nameSearch.findAsTyped(query.words, listed)
    if ((asTyped[0]?.fit ?? 0) > completeFit) return asTyped.map(({ name }) => this.namePlace(name))
    const { places: addresses, isExact } = this.addresses(query, near)
    const special = [...addresses, ...this.corners(query, near)]
    const named = special.length > 0 ? asTyped : this.findNames(query, listed, asTyped)
    const places = named.map(({ name }) =>
      isExact ? this.namePlace(name) : this.withoutNumber(this.namePlace(name), query.numbered[0]),
    )
    return [...special, ...places].slice(0, limit)
  }

  /** Typos allowed; if no name has all the words, names that have them without the house number. */
  private findNames({ words: all, numbered }: Query, listed: NameQuery, asTyped: NameMatch[]): NameMatch[] {
    const found = this.nameSearch.find(all, listed, asTyped)
    for (const { words: street } of found.length > 0 ? [] : numbered) {
      const streets = this.nameSearch.find(street, listed).filter(({ fit }) => fit > streetFit)
      if (streets.length > 0) return streets
    }
    return found
  }

  /** A query such as "Vaduz, Landstrasse 1" begins with the town, which then is the hint. */
  private streetFirst(query: Query): Query {
    const [town] = query.parts
    if (query.parts.length < 2 || town === undefined || !this.nameSearch.areLocal(words(town))) return query
    const street = readQuery(query.parts.slice(1).join(', '))
    const isStreet = street.words.length > 0 && !this.nameSearch.areLocal(street.words)
    return isStreet && this.findsName(street)
      ? { ...street, hints: [...street.hints, ...words(town)] }
      : query
  }

  /** Whether a street or place has all words of a query, without its house number. */
  private findsName({ words: all, numbered }: Query): boolean {
    const query = this.nameQuery([], undefined, 1, () => true)
    return [all, ...numbered.map((reading) => reading.words)].some(
      (name) => (this.nameSearch.findAsTyped(name, query)[0]?.fit ?? 0) > completeFit,
    )
  }

  /** Marks a street result of a query for a house number as missing that number. */
  private withoutNumber(place: Place, reading: NumberedReading | undefined): Place {
    if (!reading || place.kind !== 'street') return place
    const isInName = words(place.label).includes(String(reading.number))
    return isInName ? place : { ...place, missingNumber: reading.number }
  }

  private nameQuery(
    hints: readonly string[],
    near: LatLng | undefined,
    limit: number,
    keep: (name: number) => boolean,
  ): NameQuery {
    const { names } = this
    const { x, y } = near ? toWorld(near) : { x: 0, y: 0 }
    const scale = near ? metresPerUnit(y) / nearMetres : 0
    return {
      hints,
      limit,
      keep,
      importance: (name) => names.importance[name] as number,
      nearness: (name) =>
        near ? 1 / (1 + Math.hypot((names.x[name] as number) - x, (names.y[name] as number) - y) * scale) : 0,
      around: () => (near ? names.around(x, y, mostAround, unitsIn(aroundMetres, y)) : []),
    }
  }

  /** House numbers that the query may mean, exact ones before the nearest numbers, on the streets that fit best. */
  private addresses(
    { numbered, hints }: Query,
    near: LatLng | undefined,
  ): { places: Place[]; isExact: boolean } {
    const owners = this.nameQuery(hints, near, mostStreets, (name) => hasNumbers(this.numbers, name))
    const matches = new Map<number, AddressMatch & { number: number }>()
    for (const { words: street, number, key } of numbered) {
      for (const match of this.numbersOf(this.nameSearch.find(street, owners), number, key)) {
        const known = matches.get(match.row)
        if (!known || known.fit < match.fit) matches.set(match.row, { ...match, number })
      }
      // The longest readings come first: another one would only find less similar streets.
      if ([...matches.values()].some(({ isExact, fit }) => isExact && fit > completeFit)) break
    }
    const all = [...matches.values()]
    const bestFit = all.reduce((best, { fit }) => Math.max(best, fit), 0)
    const chosen = all.filter(({ fit }) => fit > bestFit - 0.05)
    // The town that was asked for matters more than the number.
    const listed = chosen
      .toSorted((a, b) => b.hinted - a.hinted || Number(b.isExact) - Number(a.isExact))
      .slice(0, mostAddresses)
    return {
      isExact: chosen.some(({ isExact }) => isExact),
      places: listed.map(({ row, isExact, number }) =>
        isExact ? this.addressPlace(row) : { ...this.addressPlace(row), missingNumber: number },
      ),
    }
  }

  private numbersOf(streets: readonly NameMatch[], number: number, key: string): AddressMatch[] {
    return streets.flatMap(({ name, fit, hinted }) => {
      const row = fit > streetFit ? findNumber(this.numbers, name, number, key, numberSlack) : null
      return row === null ? [] : [{ row, fit, hinted, isExact: this.numbers.number[row] === number }]
    })
  }

  private corners({ intersections }: Query, near: LatLng | undefined): Place[] {
    const streetsOnly = this.nameQuery([], near, mostCornerStreets, (name) => this.names.isStreet(name))
    const streets = (text: string[]) =>
      this.nameSearch.find(text, streetsOnly).filter(({ fit }) => fit > streetFit)
    const rows = new Map<number, Place>()
    for (const [one, other] of intersections) {
      const ones = streets(one)
      const others = ones.length === 0 ? [] : streets(other)
      for (const { name: a } of ones) {
        for (const { name: b } of others) {
          const row = findIntersection(this.crossings, a, b)
          if (row !== null && !rows.has(row)) rows.set(row, this.crossingPlace(row, a, b))
        }
      }
    }
    return [...rows.values()]
  }

  /** The place that `search` or `address` returned with this id, or null. */
  place(id: string): Place | null {
    const name = this.names.withId(id)
    if (name !== undefined) return this.namePlace(name)
    const row = addressRow(this.numbers, id)
    if (row !== null) return this.addressPlace(row)
    const corner = id.split('+').map((street) => this.names.withId(street))
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
    const [name] = this.names.around(x, y, 1, unitsIn(placeMetres, y), (one) => !this.names.isStreet(one))
    return name === undefined ? null : this.namePlace(name)
  }

  /** A street by its index among the names, at a given point on it. */
  streetAt(name: number, point: LatLng): Place {
    const { x, y } = toWorld(point)
    return { ...this.namePlace(name), detail: this.locality(x, y) || this.names.detailOf(name), ...point }
  }

  private namePlace(name: number): Place {
    return {
      id: this.names.id(name),
      label: this.names.label(name),
      detail: this.names.detailOf(name),
      kind: this.names.isStreet(name) ? 'street' : 'place',
      ...toLatLng(this.names.stopX[name] as number, this.names.stopY[name] as number),
    }
  }

  private addressPlace(row: number): Place {
    const { street, locality, x, y } = this.numbers
    const streetLabel = this.names.label(street[row] as number)
    const detail = this.parts.localities.texts[locality[row] as number] as string
    return {
      id: addressId(this.numbers, row),
      label: addressLabel(streetLabel, numberText(this.numbers, row), this.parts.countryCode),
      detail: detail
        .split(', ')
        .filter((part) => part !== streetLabel)
        .join(', '),
      kind: 'address',
      ...toLatLng(x[row] as number, y[row] as number),
    }
  }

  private crossingPlace(row: number, one: number, other: number): Place {
    const [x, y] = [this.crossings.x[row] as number, this.crossings.y[row] as number]
    return {
      id: `${this.names.id(one)}+${this.names.id(other)}`,
      label: `${this.names.label(one)} / ${this.names.label(other)}`,
      detail: this.locality(x, y) || this.names.detailOf(one),
      kind: 'address',
      ...toLatLng(x, y),
    }
  }

  /** The second line of a result: that of the nearest house number, empty if none is within one kilometer. */
  private locality(x: number, y: number): string {
    const [row] = this.numbers.index.neighbors(x, y, 1, unitsIn(placeMetres, y))
    const known = row === undefined ? undefined : this.numbers.locality[row]
    return known === undefined ? '' : (this.parts.localities.texts[known] as string)
  }
}
