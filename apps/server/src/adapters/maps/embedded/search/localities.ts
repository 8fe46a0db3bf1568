import Flatbush from 'flatbush'
import type { SourceFeature } from '../source/map-source.ts'
import { middle, unitsIn } from './entry.ts'

/** Looks up a position's locality: neighborhood and town, as far as the data has them. */
export class Localities {
  private readonly parts: { names: string[]; index: Flatbush }
  private readonly towns: { names: string[]; index: Flatbush }

  constructor(features: SourceFeature[]) {
    this.parts = indexOf(features, ({ tags }) =>
      /^(suburb|neighbourhood|town|hamlet)$/.test(tags.place ?? '') ? tags.name : undefined,
    )
    this.towns = indexOf(features, ({ tags, shape }) => (shape === 'point' ? tags['addr:city'] : undefined))
  }

  /** Every distinct result so far. */
  readonly all: string[] = []
  private readonly numberOf = new Map<string, number>()

  /** The index in `all` of the locality at a position. */
  numberAt(x: number, y: number): number {
    const locality = this.of(x, y)
    const known = this.numberOf.get(locality) ?? this.all.push(locality) - 1
    this.numberOf.set(locality, known)
    return known
  }

  /** For example "Pocitos, Montevideo"; empty if the data has nothing nearby. */
  of(x: number, y: number): string {
    const part = nearest(this.parts, x, y, 2_500)
    const town = nearest(this.towns, x, y, 1_500)
    return [part, town].filter((name, at, all) => name && all.indexOf(name) === at).join(', ')
  }
}

function indexOf(features: SourceFeature[], nameOf: (feature: SourceFeature) => string | undefined) {
  const found = features.flatMap((feature) => {
    const name = nameOf(feature)
    return name ? [{ name, ...middle(feature.shape, feature.rings[0] as number[]) }] : []
  })
  const index = new Flatbush(Math.max(1, found.length), 16, Uint32Array)
  for (const { x, y } of found) index.add(x, y)
  if (found.length === 0) index.add(0, 0)
  index.finish()
  return { names: found.map(({ name }) => name), index }
}

function nearest(
  { names, index }: { names: string[]; index: Flatbush },
  x: number,
  y: number,
  metres: number,
) {
  const [item] = index.neighbors(x, y, 1, unitsIn(metres, y))
  return item === undefined ? undefined : names[item]
}
