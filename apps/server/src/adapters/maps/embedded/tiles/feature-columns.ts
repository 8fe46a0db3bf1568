import Flatbush from 'flatbush'
import { column, type Pack } from '../pack.ts'
import type { MapFeature } from './base-map.ts'
import { layerNames } from './layers.ts'

const shapes = ['point', 'line', 'area'] as const
export type Attributes = Record<string, string | number>

/**
 * The base map as number columns: rings of feature f are `ringStart[f]` to `ringStart[f + 1]`; points of a ring
 * likewise.
 */
export interface FeatureColumns {
  layer: Uint8Array
  shape: Uint8Array
  minZoom: Uint8Array
  /** Longer side of the feature's bounds in world units. */
  size: Uint32Array
  attributes: Uint32Array
  ringStart: Uint32Array
  pointStart: Uint32Array
  x: Uint32Array
  y: Uint32Array
  index: Flatbush
  /** Distinct attribute sets. */
  attributeSets: Attributes[]
}

export function toColumns(features: MapFeature[]): { pack: Pack; attributeSets: Attributes[] } {
  const sets = new Map<string, number>()
  const attributeSets: Attributes[] = []
  const ringStart = [0]
  const pointStart = [0]
  const x: number[] = []
  const y: number[] = []
  const sizes: number[] = []
  const attributes: number[] = []
  const index = new Flatbush(features.length, 16, Uint32Array)
  for (const feature of features) {
    const key = JSON.stringify(feature.attributes)
    const known = sets.get(key) ?? attributeSets.push(feature.attributes) - 1
    sets.set(key, known)
    attributes.push(known)
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const ring of feature.rings) {
      for (let i = 0; i < ring.length; i += 2) {
        const px = ring[i] as number
        const py = ring[i + 1] as number
        x.push(px)
        y.push(py)
        west = Math.min(west, px)
        east = Math.max(east, px)
        north = Math.min(north, py)
        south = Math.max(south, py)
      }
      pointStart.push(x.length)
    }
    ringStart.push(pointStart.length - 1)
    sizes.push(Math.max(east - west, south - north))
    index.add(west, north, east, south)
  }
  index.finish()
  const pack = {
    layer: Uint8Array.from(features, ({ layer }) => layerNames.indexOf(layer)),
    shape: Uint8Array.from(features, ({ shape }) => shapes.indexOf(shape)),
    minZoom: Uint8Array.from(features, ({ minZoom }) => minZoom),
    size: Uint32Array.from(sizes),
    attributes: Uint32Array.from(attributes),
    ringStart: Uint32Array.from(ringStart),
    pointStart: Uint32Array.from(pointStart),
    x: Uint32Array.from(x),
    y: Uint32Array.from(y),
    index: new Uint8Array(index.data),
  }
  return { pack, attributeSets }
}

/** Restores the columns from `toColumns`. Throws if one is missing. */
export function fromPack(pack: Pack, attributeSets: Attributes[], index: Flatbush): FeatureColumns {
  const u8 = (name: string) => column(pack, name, 'Uint8Array')
  const u32 = (name: string) => column(pack, name, 'Uint32Array')
  return {
    layer: u8('layer'),
    shape: u8('shape'),
    minZoom: u8('minZoom'),
    size: u32('size'),
    attributes: u32('attributes'),
    ringStart: u32('ringStart'),
    pointStart: u32('pointStart'),
    x: u32('x'),
    y: u32('y'),
    index,
    attributeSets,
  }
}
