import type { LatLng } from '@hansom/domain/geo/point'
import { greatCircleKm } from '@hansom/domain/geo/point'
import Flatbush from 'flatbush'
import type { Place } from '../../port.ts'
import { toLatLng, toWorld } from '../world.ts'
import { type Crossings, findCrossing } from './crossings.ts'
import { type Entry, unitsIn } from './entry.ts'
import { addressId, addressRow, type HouseNumbers, nearestNumber } from './house-numbers.ts'
import { NameSearch, type Standing } from './name-search.ts'
import { readQuery } from './query.ts'
import type { WordIndex } from './word-index.ts'

/** A house number this far from the one asked for is still an answer ("nearest"); beyond, the street itself is. */
const numberSlack = 60
const doorMetres = 60
const placeMetres = 1_000

/** Everything in the region that has a name or a number. */
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
    private readonly crossings: Crossings,
    index: WordIndex,
  ) {
    this.names = new NameSearch(index)
    this.at = entries.map(({ x, y }) => toLatLng(x, y))
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

  /** Best first. House numbers and corners come before names unless a name fits the whole query. */
  search(text: string, near: LatLng | undefined, limit: number): Place[] {
    const query = readQuery(text)
    if (query.words.length === 0) return []
    const standing: Standing = {
      importance: (name) => this.entries[name]?.importance as number,
      nearness: (name) => (near ? 1 / (1 + greatCircleKm(near, this.at[name] as LatLng) / 3) : 0),
    }
    const isStreet = (name: number) => this.entries[name]?.kind === 'street'
    const named = this.names.find(query.words, limit, standing, () => true)
    const special: Place[] = []
    if (query.numbered) {
      const { number, words } = query.numbered
      for (const { name, fit } of this.names.find(words, 4, standing, isStreet)) {
        const row = fit < 0.75 ? null : nearestNumber(this.numbers, name, number, numberSlack)
        if (row !== null) special.push(this.addressPlace(row))
      }
    }
    for (const [one, other] of query.corners) {
      const ones = this.names.find(one, 6, standing, isStreet).filter(({ fit }) => fit > 0.75)
      const others = this.names.find(other, 6, standing, isStreet).filter(({ fit }) => fit > 0.75)
      for (const a of ones) {
        for (const b of others) {
          const row = findCrossing(this.crossings, a.name, b.name)
          if (row !== null) special.push(this.crossingPlace(row, a.name, b.name))
        }
      }
    }
    const places = named.map(({ name }) => this.entryPlace(name))
    const whole = named.length > 0 && (named[0]?.fit as number) > 0.9
    const ordered = whole ? [...places.slice(0, 1), ...special, ...places.slice(1)] : [...special, ...places]
    const seen = new Set<string>()
    return ordered.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, limit)
  }

  /** What `search` or `address` named by this id, or null. */
  place(id: string): Place | null {
    const entry = this.byId.get(id)
    if (entry !== undefined) return this.entryPlace(entry)
    const row = addressRow(this.numbers, id)
    if (row !== null) return this.addressPlace(row)
    const corner = id.split('+').map((street) => this.byId.get(street))
    const [one, other] = corner
    if (corner.length !== 2 || one === undefined || other === undefined) return null
    const crossing = findCrossing(this.crossings, one, other)
    return crossing === null ? null : this.crossingPlace(crossing, one, other)
  }

  /** The nearest house number within 60 m, or null. Of several numbers on one door, the lowest. */
  nearestDoor(point: LatLng): Place | null {
    const { number, x: xs, y: ys, index } = this.numbers
    if (number.length === 0) return null
    const { x, y } = toWorld(point)
    const [nearest, ...more] = index.neighbors(x, y, 8, unitsIn(doorMetres, y))
    if (nearest === undefined) return null
    const sameDoor = more.filter((row) => xs[row] === xs[nearest] && ys[row] === ys[nearest])
    return this.addressPlace(Math.min(nearest, ...sameDoor))
  }

  /** The nearest named place within a kilometre, or null. */
  nearestPlace(point: LatLng): Place | null {
    const { x, y } = toWorld(point)
    const [item] = this.placeIndex.neighbors(x, y, 1, unitsIn(placeMetres, y))
    const entry = item === undefined ? undefined : this.placeOf[item]
    return entry === undefined ? null : this.entryPlace(entry)
  }

  /** A street by its place in the entries, standing at a given point of it. */
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

  /** The second line of a spot: that of the nearest house number, empty where none is within a kilometre. */
  private locality(x: number, y: number): string {
    const [row] = this.numbers.index.neighbors(x, y, 1, unitsIn(placeMetres, y))
    const known = row === undefined ? undefined : this.numbers.locality[row]
    return known === undefined ? '' : (this.localities[known] as string)
  }
}
