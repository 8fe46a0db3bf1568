import { createHash } from 'node:crypto'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Maps, Place, SearchOptions, Suggestion } from '../port.ts'
import { reachMetres } from './streets/snap.ts'
import { mergedTile } from './tiles/merge-tiles.ts'

const mostPlaces = 20
/** Of a track, this many positions decide about its region. */
const mostCompared = 20

/** The map of a region, or of several. */
export interface RegionMaps extends Maps {
  /** Meters to the nearest street that cars may use; null if none is within reach. */
  metresToStreet(point: LatLng): number | null
}

/**
 * Several regions as one: search asks all of them, nearest first; a route stays within one region. Near a border both
 * regions cover a point, and the one whose streets are nearer answers. The first region is the home: its name, time zone
 * and center are the installation's.
 */
export function sideBySide(all: readonly RegionMaps[]): RegionMaps {
  const home = all[0] as RegionMaps
  const least = (regions: readonly RegionMaps[], points: readonly LatLng[]) => {
    const sums = regions.map((maps) =>
      points.reduce((sum, point) => sum + (maps.metresToStreet(point) ?? reachMetres), 0),
    )
    return regions[sums.indexOf(Math.min(...sums))]
  }
  const around = (points: readonly LatLng[]) => {
    const covering = all.filter((maps) => points.every((point) => maps.covers(point)))
    return covering.length > 1 ? least(covering, points) : covering[0]
  }
  const driveTimes = async (froms: readonly LatLng[], to: LatLng) => {
    const regions = froms.map((from) => around([from, to]))
    const times: Awaited<ReturnType<Maps['driveTimes']>> = froms.map(() => null)
    for (const maps of new Set(regions)) {
      const rows = [...froms.keys()].filter((row) => regions[row] === maps)
      const found = await maps?.driveTimes(
        rows.map((row) => froms[row] as LatLng),
        to,
      )
      for (const [index, row] of rows.entries()) times[row] = found?.[index] ?? null
    }
    return times
  }
  const marked = <P extends Suggestion>({ region }: Maps, place: P): P => ({
    ...place,
    id: `${region.id}~${place.id}`,
  })
  const named = async (maps: Maps, found: Promise<Place | null>) => {
    const place = await found
    return place && marked(maps, place)
  }
  const search = async (query: string, options: SearchOptions = {}): Promise<Suggestion[]> => {
    const { near, limit = 8 } = options
    const nearest = near
      ? all.toSorted((a, b) => greatCircleKm(a.region.center, near) - greatCircleKm(b.region.center, near))
      : all
    const found = await Promise.all(nearest.map((maps) => maps.search(query, options)))
    // One from each in turn, because scores of different regions cannot be compared; what several have, once.
    const once = new Map<string, Suggestion>()
    for (let turn = 0; turn < mostPlaces; turn++) {
      for (const [index, maps] of nearest.entries()) {
        const place = found[index]?.[turn]
        if (place && !once.has(place.id)) once.set(place.id, marked(maps, place))
      }
    }
    return [...once.values()].slice(0, Math.max(1, Math.min(mostPlaces, Math.floor(limit))))
  }
  return {
    region: {
      ...home.region,
      otherCountries: all.flatMap(({ region }) => [region.countryCode, ...(region.otherCountries ?? [])]),
      bounds: boundsOf(all),
      attribution: attributionOf(all),
    },
    tileVersion: createHash('sha256')
      .update(all.map(({ tileVersion }) => tileVersion).join())
      .digest('hex')
      .slice(0, 16),
    contents: all.flatMap(({ contents }) => contents),
    tileZooms: home.tileZooms,
    search,
    place: async (id, options) => {
      const [region = '', ...rest] = id.split('~')
      const maps = all.find((one) => one.region.id === region)
      return maps ? named(maps, maps.place(rest.join('~'), options)) : null
    },
    address: async (point) => {
      const maps = around([point])
      return maps ? named(maps, maps.address(point)) : null
    },
    covers: (point) => around([point]) !== undefined,
    metresToStreet: (point) => around([point])?.metresToStreet(point) ?? null,
    route: async (points) => (points.length > 0 ? (around(points)?.route(points) ?? null) : null),
    driveTimes,
    driveTimeTable: async (froms, tos) => {
      const columns = await Promise.all(tos.map((to) => driveTimes(froms, to)))
      return froms.map((_, row) => columns.map((times) => times[row] ?? null))
    },
    driveTimePairs: async (froms, tos, pairs) => {
      const times: Awaited<ReturnType<Maps['driveTimePairs']>> = pairs.map(() => null)
      const regions = pairs.map(([from, to]) => around([froms[from] as LatLng, tos[to] as LatLng]))
      for (const maps of new Set(regions)) {
        const indexes = [...pairs.keys()].filter((index) => regions[index] === maps)
        const found = await maps?.driveTimePairs(
          froms,
          tos,
          indexes.map((index) => pairs[index] as [number, number]),
        )
        for (const [at, index] of indexes.entries()) times[index] = found?.[at] ?? null
      }
      return times
    },
    alternatives: async (from, to) => (await around([from, to])?.alternatives(from, to)) ?? [],
    match: (points) => {
      const apart = Math.max(1, Math.floor(points.length / mostCompared))
      const some = points.filter((_, index) => index % apart === 0)
      return (least(all, some) ?? home).match(points)
    },
    tile: (z, x, y) => mergedTile(all, z, x, y),
  }
}

function boundsOf(all: readonly Maps[]): Maps['region']['bounds'] {
  const side = (index: number, pick: (...values: number[]) => number) =>
    pick(...all.map(({ region }) => region.bounds[index] as number))
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)]
}

const attributionOf = (all: readonly Maps[]) =>
  [...new Set(all.map(({ region }) => region.attribution))].join(' ')
