import type { LatLng } from '@hansom/domain/geo/point'
import {
  loadBaseMap,
  loadDirectory,
  loadHouseNumbers,
  loadLowZoomTiles,
  loadStreets,
} from './embedded/load.ts'
import { openPreparedMap, type PreparedMapOptions } from './embedded/prepared-map.ts'
import { region } from './embedded/region.ts'
import { buildTile, isDrawn, zooms } from './embedded/tiles/build-tile.ts'
import { TileCache } from './embedded/tiles/tile-cache.ts'
import type { Maps } from './port.ts'

const streetMetres = 400

/**
 * The map of Montevideo that ships with the product: no API key, no network. The first call prepares it in a separate
 * process (some seconds), later ones read it from disk. Servers may share a folder.
 */
export async function createEmbeddedMaps({ dataDir, log }: PreparedMapOptions): Promise<Maps> {
  const { version, map } = await openPreparedMap({ dataDir, log }, (folder) => {
    const numbers = loadHouseNumbers(folder)
    return {
      numbers,
      streets: loadStreets(folder),
      directory: loadDirectory(folder, numbers),
      baseMap: loadBaseMap(folder),
      wideTiles: loadLowZoomTiles(folder),
    }
  })
  const { numbers, streets, directory, baseMap, wideTiles } = map
  const tiles = new TileCache(wideTiles, (z, x, y) => buildTile(baseMap, numbers, z, x, y))

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
      const houseNumber = directory.nearestHouseNumber(point)
      if (houseNumber) return houseNumber
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
