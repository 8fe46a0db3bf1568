import { gzipSync } from 'node:zlib'
import type { Pack } from '../pack.ts'
import type { HouseNumbers } from '../search/house-numbers.ts'
import { worldSize } from '../world.ts'
import { buildTile, zooms } from './build-tile.ts'
import type { FeatureColumns } from './feature-columns.ts'
import type { Box } from './shore.ts'

/** Up to this zoom, a tile covers too much of the city to be built on request without blocking the event loop. */
const wideZoom = 12

/** The region's low-zoom tiles, built and compressed, by "z/x/y". */
export function lowZoomTiles(map: FeatureColumns, numbers: HouseNumbers, region: Box): Pack {
  const tiles: Pack = {}
  for (let z = zooms.min; z <= wideZoom; z++) {
    const side = worldSize / 2 ** z
    for (let x = Math.floor(region.west / side); x * side < region.east; x++) {
      for (let y = Math.floor(region.north / side); y * side < region.south; y++) {
        tiles[`${z}/${x}/${y}`] = new Uint8Array(gzipSync(buildTile(map, numbers, z, x, y)))
      }
    }
  }
  return tiles
}
