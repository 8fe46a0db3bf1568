import { createHash } from 'node:crypto'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Maps, Place, SearchOptions, Suggestion } from '../port.ts'
import { mergedTile } from './tiles/merge-tiles.ts'

const mostPlaces = 20

/**
 * Several regions as one: search asks all of them, nearest first; a route stays within one region. The first region is
 * the home: its name, time zone and center are the installation's.
 */
export function sideBySide(all: readonly Maps[]): Maps {
  const home = all[0] as Maps
  const at = (point: LatLng) => all.find((maps) => maps.covers(point))
  const around = (points: readonly LatLng[]) =>
    all.find((maps) => points.every((point) => maps.covers(point)))
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
    const found = await Promise.all(
      nearest.map(async (maps) => (await maps.search(query, options)).map((place) => marked(maps, place))),
    )
    // One from each in turn: scores of different regions cannot be compared.
    const turns = Array.from({ length: mostPlaces }, (_, turn) =>
      found.flatMap((places) => places[turn] ?? []),
    )
    return turns.flat().slice(0, Math.max(1, Math.min(mostPlaces, Math.floor(limit))))
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
      const maps = at(point)
      return maps ? named(maps, maps.address(point)) : null
    },
    covers: (point) => at(point) !== undefined,
    route: async (points) => (points.length > 0 ? (around(points)?.route(points) ?? null) : null),
    driveTimes: async (froms, to) => {
      const maps = at(to)
      return maps ? maps.driveTimes(froms, to) : froms.map(() => null)
    },
    driveTimeTable: async (froms, tos) => {
      const rows = await Promise.all(tos.map(async (to) => (await at(to)?.driveTimes(froms, to)) ?? null))
      return froms.map((_, from) => rows.map((times) => times?.[from] ?? null))
    },
    alternatives: async (from, to) => (await around([from, to])?.alternatives(from, to)) ?? [],
    match: async (points) => {
      const covered = points.find((point) => at(point) !== undefined)
      return ((covered && at(covered)) ?? home).match(points)
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
