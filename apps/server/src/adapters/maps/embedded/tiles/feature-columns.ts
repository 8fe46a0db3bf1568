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

/** Collects features in columns one by one, so that only one of them is an object at a time. */
export function toColumns(features: Iterable<MapFeature>): { pack: Pack; attributeSets: Attributes[] } {
  const sets = new Map<string, number>()
  const attributeSets: Attributes[] = []
  const column = { layer: new Growing(), shape: new Growing(), minZoom: new Growing(), size: new Growing() }
  const attributes = new Growing()
  const [ringStart, pointStart] = [new Growing(), new Growing()]
  const [x, y, boxes] = [new Growing(), new Growing(), new Growing()]
  ringStart.push(0)
  pointStart.push(0)
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
    column.layer.push(layerNames.indexOf(feature.layer))
    column.shape.push(shapes.indexOf(feature.shape))
    column.minZoom.push(feature.minZoom)
    column.size.push(Math.max(east - west, south - north))
    for (const side of [west, north, east, south]) boxes.push(side)
  }
  const pack = {
    layer: Uint8Array.from(column.layer.values()),
    shape: Uint8Array.from(column.shape.values()),
    minZoom: Uint8Array.from(column.minZoom.values()),
    size: column.size.values(),
    attributes: attributes.values(),
    ringStart: ringStart.values(),
    pointStart: pointStart.values(),
    x: x.values(),
    y: y.values(),
    index: new Uint8Array(indexOf(boxes.values()).data),
  }
  return { pack, attributeSets }
}

function indexOf(boxes: Uint32Array): Flatbush {
  const index = new Flatbush(boxes.length / 4, 16, Uint32Array)
  for (let at = 0; at < boxes.length; at += 4) {
    const [west, north, east, south] = boxes.subarray(at, at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ]
    index.add(west, north, east, south)
  }
  index.finish()
  return index
}

/** A growing list of 32-bit numbers. */
class Growing {
  private data = new Uint32Array(1 << 10)
  length = 0

  push(value: number): void {
    if (this.length === this.data.length) {
      const more = new Uint32Array(this.length * 2)
      more.set(this.data)
      this.data = more
    }
    this.data[this.length++] = value
  }

  values(): Uint32Array<ArrayBuffer> {
    return this.data.slice(0, this.length)
  }
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
