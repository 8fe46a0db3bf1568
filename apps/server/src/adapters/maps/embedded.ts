import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LatLng } from '@hansom/domain/geo/point'
import { loadBaseMap, loadDirectory, loadHouseNumbers, loadStreets } from './embedded/load.ts'
import { prepare } from './embedded/prepare.ts'
import { region } from './embedded/region.ts'
import { sourceFingerprint } from './embedded/source.ts'
import { cutTile, isDrawn, zooms } from './embedded/tiles/cut.ts'
import { TileCache } from './embedded/tiles/tile-cache.ts'
import type { Maps } from './port.ts'

/** Raised whenever the prepared files change their meaning: an older folder is then built anew. */
const formatVersion = 2

const streetMetres = 400

export interface EmbeddedMapsOptions {
  /** The server's data folder; the map lives in `maps` beneath it. */
  dataDir: string
  log: { info(message: string): void }
}

/**
 * The map of Montevideo that comes with the product: no key and no network. The first call prepares it (some seconds, the
 * event loop is busy), later ones read it from disk. Calls must not overlap on one folder.
 */
export async function createEmbeddedMaps({ dataDir, log }: EmbeddedMapsOptions): Promise<Maps> {
  const version = `${formatVersion}-${sourceFingerprint()}`
  const home = join(dataDir, 'maps')
  const folder = join(home, version)
  if (!existsSync(folder)) {
    const began = Date.now()
    log.info(`Preparing the map of ${region.name}, once`)
    mkdirSync(home, { recursive: true })
    prepare(folder)
    for (const name of readdirSync(home)) {
      if (name !== version) rmSync(join(home, name), { recursive: true, force: true })
    }
    log.info(`Prepared the map of ${region.name} in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  }
  const streets = loadStreets(folder)
  const numbers = loadHouseNumbers(folder)
  const directory = loadDirectory(folder, numbers)
  const baseMap = loadBaseMap(folder)
  const tiles = new TileCache((z, x, y) => cutTile(baseMap, numbers, z, x, y))

  return {
    region,
    tileVersion: version,
    tileZooms: zooms,
    search: async (query, { near, limit = 8, country } = {}) => {
      if (country && country.toUpperCase() !== region.countryCode) return []
      return directory.search(query, near, Math.max(1, Math.min(20, Math.floor(limit))))
    },
    place: async (id) => directory.place(id),
    address: async (point) => {
      if (!isPoint(point)) return null
      const door = directory.nearestDoor(point)
      if (door) return door
      const street = streets.namedStreet(point, streetMetres)
      return street ? directory.streetAt(street.street, street.at) : directory.nearestPlace(point)
    },
    covers: (point) => isPoint(point) && streets.snap(point) !== null,
    route: async (points) => (points.every(isPoint) ? streets.route(points) : null),
    driveTimes: async (froms, to) => {
      const end = isPoint(to) ? streets.snap(to) : null
      return froms.map((from) => {
        const start = end && isPoint(from) ? streets.snap(from) : null
        return start && end ? streets.driveTime(start, end) : null
      })
    },
    tile: async (z, x, y) => (isDrawn(z, x, y) ? tiles.tile(z, x, y) : null),
  }
}

function isPoint({ lat, lng }: LatLng): boolean {
  return Math.abs(lat) <= 85 && Math.abs(lng) <= 180
}
