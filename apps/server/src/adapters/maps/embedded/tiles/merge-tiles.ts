import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { fromVectorTileJs, type VectorTileLayerLike } from '@maplibre/vt-pbf'
import { PbfReader } from 'pbf'
import type { BaseMap, Region } from '../../port.ts'
import { toLatLng, worldSize } from '../world.ts'

/** A region and its tiles. */
interface RegionTiles extends Pick<BaseMap, 'tile'> {
  region: Pick<Region, 'bounds'>
}

const unpack = promisify(gunzip)
const compress = promisify(gzip)

/**
 * A tile of several regions: those whose bounds it touches, in one tile. The sea is that of the region which fills most
 * of it, because the others know it only coarsely there. Where no region is, the first one draws its surroundings.
 */
export async function mergedTile(
  all: readonly RegionTiles[],
  z: number,
  x: number,
  y: number,
): Promise<Uint8Array | null> {
  const touched = all
    .map((maps) => ({ maps, share: overlap(maps.region.bounds, z, x, y) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
  const found: Uint8Array[] = []
  for (const { maps } of touched.length > 0 ? touched : all.map((one) => ({ maps: one }))) {
    const tile = await maps.tile(z, x, y)
    if (tile && (touched.length > 0 || found.length === 0)) found.push(tile)
  }
  const [only] = found
  if (!only || found.length === 1) return only ?? null
  const layers = new Map<string, VectorTileLayerLike[]>()
  for (const [index, tile] of found.entries()) {
    const read = new VectorTile(new PbfReader(await unpack(tile))).layers as Record<
      string,
      VectorTileLayerLike
    >
    for (const [name, layer] of Object.entries(read)) {
      const drawn = index > 0 && name === 'water' ? without(layer, 'sea') : layer
      layers.set(name, [...(layers.get(name) ?? []), drawn])
    }
  }
  const merged = Object.fromEntries([...layers].map(([name, parts]) => [name, joined(parts)]))
  return compress(fromVectorTileJs({ layers: merged }))
}

/** The share of a tile that is within bounds, 0 to 1. */
function overlap([west, south, east, north]: Region['bounds'], z: number, x: number, y: number): number {
  const side = worldSize / 2 ** z
  const northWest = toLatLng(x * side, y * side)
  const southEast = toLatLng((x + 1) * side, (y + 1) * side)
  const width = Math.min(east, southEast.lng) - Math.max(west, northWest.lng)
  const height = Math.min(north, northWest.lat) - Math.max(south, southEast.lat)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / ((southEast.lng - northWest.lng) * (northWest.lat - southEast.lat))
}

function joined(parts: readonly VectorTileLayerLike[]): VectorTileLayerLike {
  const features = parts.flatMap((part) => Array.from({ length: part.length }, (_, at) => part.feature(at)))
  return listed(parts[0] as VectorTileLayerLike, features)
}

function without(layer: VectorTileLayerLike, kind: string): VectorTileLayerLike {
  const features = Array.from({ length: layer.length }, (_, at) => layer.feature(at))
  return listed(
    layer,
    features.filter(({ properties }) => properties.kind !== kind),
  )
}

function listed(
  { version, name, extent }: VectorTileLayerLike,
  features: ReturnType<VectorTileLayerLike['feature']>[],
): VectorTileLayerLike {
  return {
    version,
    name,
    extent,
    length: features.length,
    feature: (at) => features[at] as (typeof features)[number],
  }
}
