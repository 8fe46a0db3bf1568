import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { LatLng } from '@hansom/domain/geo/point'
import {
  loadBaseMap,
  loadDirectory,
  loadHouseNumbers,
  loadLowZoomTiles,
  loadStreets,
} from './embedded/load.ts'
import { formatVersion, RegionStore } from './embedded/region-store.ts'
import { type RegionMaps, sideBySide } from './embedded/side-by-side.ts'
import { packagedRegion } from './embedded/source/qa-tiles.ts'
import { buildTile, isDrawn, zooms } from './embedded/tiles/build-tile.ts'
import { surroundingsOf } from './embedded/tiles/world-land.ts'
import type { Region } from './port.ts'

const streetMetres = 400

export interface EmbeddedMapsOptions {
  /** The server's data folder; the regions are in its subfolder `maps`. */
  dataDir: string
  log: { info(message: string): void }
  /** The regions to serve; by default those that `maps:use` chose, otherwise the packaged one. */
  regions?: readonly string[] | undefined
}

/**
 * The maps of imported regions, or the packaged one of Montevideo: no API key, no network. The packaged one is prepared
 * at the first call (some seconds), later ones read it from disk. Servers may share a folder. Throws
 * MapNotPreparedError for a region that is not there.
 */
export async function createEmbeddedMaps({
  dataDir,
  log,
  regions,
}: EmbeddedMapsOptions): Promise<RegionMaps> {
  const store = new RegionStore(dataDir)
  const chosen = regions ?? store.inUse()
  const opened: RegionMaps[] = []
  for (const id of chosen.length > 0 ? chosen : [packagedRegion.id])
    opened.push(await openRegion(store, id, log))
  return opened.length === 1 ? (opened[0] as RegionMaps) : sideBySide(opened)
}

/** The regions in the data folder that this version can serve. */
export function preparedRegions(dataDir: string): Region[] {
  return new RegionStore(dataDir)
    .list()
    .flatMap(({ file }) => (file?.format === formatVersion ? [file.region] : []))
}

async function openRegion(
  store: RegionStore,
  id: string,
  log: EmbeddedMapsOptions['log'],
): Promise<RegionMaps> {
  const { file, numbers, streets, directory, baseMap, wideTiles } = await store.open(
    id,
    log,
    (folder, file) => {
      const numbers = loadHouseNumbers(folder)
      return {
        file,
        numbers,
        streets: loadStreets(folder),
        directory: loadDirectory(folder, numbers),
        baseMap: loadBaseMap(folder),
        wideTiles: loadLowZoomTiles(folder),
      }
    },
  )
  const { region, version, extract, counts } = file
  const drawn = surroundingsOf(file.bounds)
  const tiles = new TileCache(wideTiles, (z, x, y) => buildTile(baseMap, numbers, z, x, y))

  return {
    region,
    tileVersion: version,
    contents: [{ region, extract, ...counts }],
    tileZooms: zooms,
    search: async (query, { near, limit = 8, country } = {}) => {
      const isServed = (code: string) => code === region.countryCode || region.otherCountries?.includes(code)
      if (country && !isServed(country.toUpperCase())) return []
      return directory.search(query, near, Math.max(1, Math.min(20, Math.floor(limit))))
    },
    place: async (id) => directory.place(id),
    address: async (point) => {
      if (!isPoint(point)) return null
      const houseNumber = directory.nearestHouseNumber(point)
      if (houseNumber) return houseNumber
      const street = streets.namedStreet(point, streetMetres)
      return street ? directory.streetAt(street.street, street.at) : directory.nearestPlace(point)
    },
    covers: (point) => isPoint(point) && streets.snap(point) !== null,
    metresToStreet: (point) => (isPoint(point) ? (streets.snap(point)?.away ?? null) : null),
    route: async (points) => (points.every(isPoint) ? streets.route(points) : null),
    driveTimes: async (froms, to) => streets.driveTimeTable(froms.map(known), [known(to)]).flat(),
    driveTimeTable: async (froms, tos) => streets.driveTimeTable(froms.map(known), tos.map(known)),
    driveTimePairs: async (froms, tos, pairs) =>
      streets.driveTimePairs(froms.map(known), tos.map(known), pairs),
    alternatives: async (from, to) => (isPoint(from) && isPoint(to) ? streets.alternatives(from, to) : []),
    match: (points) => streets.match(points),
    tile: async (z, x, y) => (isDrawn(drawn, z, x, y) ? tiles.tile(z, x, y) : null),
  }
}

function isPoint({ lat, lng }: LatLng): boolean {
  return Math.abs(lat) <= 85 && Math.abs(lng) <= 180
}

const known = (point: LatLng) => (isPoint(point) ? point : null)

const compress = promisify(gzip)
const mostBytes = 32 * 2 ** 20
/** Of one entry besides its tile: empty tiles would otherwise be kept by the million. */
const entryBytes = 200

/** Builds each tile once, compresses it off the event loop and caches the most recently used ones, up to 32 MB. */
class TileCache {
  private readonly kept = new Map<string, Uint8Array>()
  private readonly making = new Map<string, Promise<Uint8Array>>()
  private bytes = 0

  /** `ready` has prebuilt compressed tiles by "z/x/y". */
  constructor(
    private readonly ready: Record<string, Uint8Array>,
    private readonly cut: (z: number, x: number, y: number) => Uint8Array,
  ) {}

  async tile(z: number, x: number, y: number): Promise<Uint8Array> {
    const key = `${z}/${x}/${y}`
    const prebuilt = this.ready[key]
    if (prebuilt) return prebuilt
    const known = this.kept.get(key)
    if (known) {
      this.kept.delete(key)
      this.kept.set(key, known)
      return known
    }
    const making = this.making.get(key) ?? this.make(key, z, x, y)
    this.making.set(key, making)
    try {
      return await making
    } finally {
      this.making.delete(key)
    }
  }

  private async make(key: string, z: number, x: number, y: number): Promise<Uint8Array> {
    const tile = await compress(this.cut(z, x, y))
    this.kept.set(key, tile)
    this.bytes += tile.length + entryBytes
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= mostBytes || oldest === key) break
      this.kept.delete(oldest)
      this.bytes -= old.length + entryBytes
    }
    return tile
  }
}
