import Flatbush from 'flatbush'
import type { SourceFeature } from '../source/map-source.ts'
import { AreaIndex } from './area-index.ts'
import type { AddressPoint } from './collect.ts'
import { middle, unitsIn } from './entry.ts'
import { plainText } from './plain-text.ts'

/** A settlement's reach in meters around its point, where no boundary is known. */
const settlementMetres: Record<string, number> = {
  city: 15_000,
  municipality: 8_000,
  town: 6_000,
  village: 3_000,
}
const partKinds = /^(suburb|borough|quarter|neighbourhood|town|village|hamlet)$/
const partMetres = 2_500
const cityTagMetres = 1_500
/** Administrative levels of municipalities and finer; https://wiki.openstreetmap.org/wiki/Tag:boundary=administrative */
const townLevel = 8
const largestLevel = 4

interface Area {
  name: string
  level: number
  isNamedLikeSettlement: boolean
}

interface Point {
  name: string
  x: number
  y: number
  metres: number
}

/**
 * Looks up a position's locality: part of town and town, as far as the data has them. The town is the finest boundary
 * around the position that is named like a settlement, because countries use different levels for their towns.
 */
export class Localities {
  /** The finest first. */
  private readonly areas: Area[]
  private readonly areaIndex: AreaIndex
  private readonly parts: PointIndex
  private readonly settlements: PointIndex
  private readonly cityTags: PointIndex

  constructor(features: readonly SourceFeature[], addresses: readonly AddressPoint[]) {
    const areas: { name: string; level: number; rings: number[][] }[] = []
    const [parts, settlements]: Point[][] = [[], []]
    for (const { tags, shape, rings: outline } of features) {
      const name = tags.name as string
      const level = levelOf(tags)
      if (shape === 'area' && level !== null) {
        areas.push({ name, level, rings: outline })
      }
      if (shape === 'area' && tags.boundary) continue
      const at = middle(shape, outline[0] as number[])
      const metres = settlementMetres[tags.place ?? '']
      if (metres !== undefined) settlements?.push({ name, ...at, metres })
      if (partKinds.test(tags.place ?? '')) parts?.push({ name, ...at, metres: partMetres })
    }
    areas.sort((a, b) => b.level - a.level)
    const settlementNames = new Set(settlements?.map(({ name }) => plainText(name)))
    this.areas = areas.map(({ name, level }) => ({
      name,
      level,
      isNamedLikeSettlement: settlementNames.has(plainText(name)),
    }))
    this.areaIndex = new AreaIndex(areas.map(({ rings }) => rings))
    this.parts = new PointIndex(parts ?? [])
    this.settlements = new PointIndex(settlements ?? [])
    this.cityTags = new PointIndex(
      addresses.flatMap(({ tags, x, y }) => {
        const name = tags['addr:city']
        return name ? [{ name, x, y, metres: cityTagMetres }] : []
      }),
    )
  }

  /** Every distinct result so far. */
  readonly all: string[] = []
  private readonly numberOf = new Map<string, number>()
  private readonly nearby = new Map<string, { town: string | undefined; part: string | undefined }>()

  /** The index in `all` of the locality at a position. */
  numberAt(x: number, y: number): number {
    const locality = this.of(x, y)
    const known = this.numberOf.get(locality) ?? this.all.push(locality) - 1
    this.numberOf.set(locality, known)
    return known
  }

  /** For example "Pocitos, Montevideo"; empty if the data has nothing nearby. */
  of(x: number, y: number): string {
    const within = this.within(x, y)
    const near = this.near(x, y, within.town)
    const names = [within.part ?? near.part, within.town ?? near.town]
    return names.filter((name, at) => name && names.indexOf(name) === at).join(', ')
  }

  /** The name of the town by its boundary; undefined if none is known. */
  townAt(x: number, y: number): string | undefined {
    return this.within(x, y).town
  }

  private within(x: number, y: number): { town?: string | undefined; part?: string | undefined } {
    const around = this.areaIndex
      .containing(x, y)
      .sort((a, b) => a - b)
      .map((area) => this.areas[area] as Area)
    if (around.length === 0) return {}
    const town =
      around.find(({ isNamedLikeSettlement }) => isNamedLikeSettlement) ??
      around.find(({ level }) => level <= townLevel)
    const part = around.find(({ level }) => level > Math.max(townLevel, town?.level ?? 0))
    return { town: town?.name, part: part?.name }
  }

  /** The nearest points of the position's cell of about 150 m; a part of town only from the same town. */
  private near(x: number, y: number, town: string | undefined) {
    const key = `${x >>> 14},${y >>> 14},${town ?? ''}`
    const known = this.nearby.get(key)
    if (known) return known
    const boundary = this.townAt(x, y)
    const isHere = (point: Point) => this.townAt(point.x, point.y) === boundary
    const found = {
      part: this.parts.nearest(x, y, isHere),
      town: town ?? this.cityTags.nearest(x, y) ?? this.settlements.nearest(x, y),
    }
    this.nearby.set(key, found)
    return found
  }
}

const placeLevels: Record<string, number> = {
  city: 8,
  town: 8,
  village: 8,
  municipality: 8,
  borough: 9,
  suburb: 9,
  quarter: 10,
  neighbourhood: 10,
}

/** An area's administrative level, by its place if it is no boundary; null if it is larger than a town's district. */
function levelOf({ boundary, admin_level, place }: SourceFeature['tags']): number | null {
  if (boundary !== 'administrative') return placeLevels[place ?? ''] ?? null
  const level = Number(admin_level)
  return level >= largestLevel && level <= 11 ? level : null
}

/** Named points, each with a reach. */
class PointIndex {
  private readonly index: Flatbush
  private readonly farthest: number

  constructor(private readonly points: Point[]) {
    this.farthest = points.reduce((most, { metres }) => Math.max(most, metres), 0)
    this.index = new Flatbush(Math.max(1, points.length), 16, Uint32Array)
    for (const { x, y } of points) this.index.add(x, y)
    if (points.length === 0) this.index.add(0, 0)
    this.index.finish()
  }

  /** The name of the nearest point that reaches the position and passes the filter. */
  nearest(x: number, y: number, filter: (point: Point) => boolean = () => true): string | undefined {
    const [item] = this.index.neighbors(x, y, 1, unitsIn(this.farthest, y), (at) => {
      const point = this.points[at]
      if (point === undefined) return false
      return Math.hypot(point.x - x, point.y - y) <= unitsIn(point.metres, y) && filter(point)
    })
    return item === undefined ? undefined : this.points[item]?.name
  }
}
