import { gzipSync } from 'node:zlib'
import { type GeoJSONVTTile, geoJSONToTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Pack } from '../pack.ts'
import { type HouseNumbers, numberText } from '../search/house-numbers.ts'
import type { Box } from '../source/map-source.ts'
import { worldSize } from '../world.ts'
import type { FeatureColumns } from './feature-columns.ts'
import { type LayerName, layerNames } from './layers.ts'

export const zooms = { min: 8, max: 16 }

const extent = 4096
const buffer = 64
/** Below zoom 14, areas and lines smaller than this many of a tile's 4096 units are left out. */
const leastSize = 24

/** Whether a tile's coordinates are integers, at a served zoom level, and overlap the drawn area. */
export function isDrawn(area: Box, z: number, x: number, y: number): boolean {
  if (!Number.isInteger(z) || !Number.isInteger(x) || !Number.isInteger(y) || z < zooms.min || z > zooms.max)
    return false
  const side = worldSize / 2 ** z
  const { west, north, east, south } = area
  return x * side < east && (x + 1) * side > west && y * side < south && (y + 1) * side > north
}

/** Builds an uncompressed vector tile; empty if it has no features. Takes a few milliseconds. */
export function buildTile(
  map: FeatureColumns,
  numbers: HouseNumbers,
  z: number,
  x: number,
  y: number,
): Uint8Array {
  const side = worldSize / 2 ** z
  const margin = (side * buffer) / extent
  const box = [
    x * side - margin,
    y * side - margin,
    (x + 1) * side + margin,
    (y + 1) * side + margin,
  ] as const
  const least = z < 14 ? (side * leastSize) / extent : 0
  const byLayer = new Map<LayerName, GeoJSON.Feature[]>()
  const add = (layer: LayerName, geometry: GeoJSON.Geometry, properties: Record<string, string | number>) => {
    const list = byLayer.get(layer)
    const feature: GeoJSON.Feature = { type: 'Feature', geometry, properties }
    if (list) list.push(feature)
    else byLayer.set(layer, [feature])
  }
  const seen = (item: number) =>
    (map.minZoom[item] as number) <= z &&
    (map.shape[item] === 0 || map.layer[item] === road || (map.size[item] as number) >= least)
  for (const item of map.index.search(...box, seen)) {
    const layer = layerNames[map.layer[item] as number] as LayerName
    add(
      layer,
      geometryOf(map, item),
      map.attributeSets[map.attributes[item] as number] as Record<string, string | number>,
    )
  }
  if (z === zooms.max) {
    for (const row of numbers.index.search(...box)) {
      const coordinates = [(numbers.x[row] as number) / worldSize, (numbers.y[row] as number) / worldSize]
      add('housenumber', { type: 'Point', coordinates }, { number: numberText(numbers, row) })
    }
  }
  const layers: Record<string, GeoJSONVTTile> = {}
  for (const name of layerNames) {
    const features = byLayer.get(name)
    if (!features) continue
    const collection: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features }
    const tile = geoJSONToTile(collection, z, x, y, {
      maxZoom: zooms.max,
      tolerance: 4,
      extent,
      buffer,
      clip: true,
      coordinates: 'unitSquare',
    })
    if (tile.features.length > 0) layers[name] = tile
  }
  return fromGeojsonVt(layers, { version: 2, extent })
}

const road = layerNames.indexOf('road')

function geometryOf(map: FeatureColumns, item: number): GeoJSON.Geometry {
  const rings: [number, number][][] = []
  for (let ring = map.ringStart[item] as number; ring < (map.ringStart[item + 1] as number); ring++) {
    const points: [number, number][] = []
    for (let at = map.pointStart[ring] as number; at < (map.pointStart[ring + 1] as number); at++) {
      points.push([(map.x[at] as number) / worldSize, (map.y[at] as number) / worldSize])
    }
    rings.push(points)
  }
  const first = rings[0] as [number, number][]
  if (map.shape[item] === 0) return { type: 'Point', coordinates: first[0] as [number, number] }
  return map.shape[item] === 1
    ? { type: 'LineString', coordinates: first }
    : { type: 'Polygon', coordinates: rings }
}

/** Up to this zoom, a tile covers too much of the city to be built on request without blocking the event loop. */
const wideZoom = 12

/** The region's low-zoom tiles, built and compressed, by "z/x/y". */
export function lowZoomTiles(map: FeatureColumns, numbers: HouseNumbers, region: Box): Pack {
  const tiles: Pack = {}
  for (let z = zooms.min; z <= wideZoom; z++) {
    const side = worldSize / 2 ** z
    for (let x = Math.floor(region.west / side); x * side < region.east; x++) {
      for (let y = Math.floor(region.north / side); y * side < region.south; y++) {
        const box = [x * side, y * side, (x + 1) * side, (y + 1) * side] as const
        // A region across the antimeridian is as wide as the world; tiles without streets are quick to build.
        if (map.index.search(...box, (item) => map.layer[item] === road).length === 0) continue
        tiles[`${z}/${x}/${y}`] = new Uint8Array(gzipSync(buildTile(map, numbers, z, x, y)))
      }
    }
  }
  return tiles
}
