import type { LatLng } from '@hansom/domain/geo/point'
import Flatbush from 'flatbush'
import type { RoadsNearby } from '../search/stopping-points.ts'
import { metresPerUnit, toLatLng, toWorld } from '../world.ts'
import type { NamedNetwork, Network } from './network.ts'

/** A point snapped to the nearest street. `segment` is the first vertex of its straight segment. */
export interface Snap {
  edge: number
  segment: number
  /** Meters along the edge, and the edge's total length. */
  along: number
  length: number
  /** Meters from the requested point. */
  away: number
  x: number
  y: number
}

/** A point farther than this from any street is outside the service area: sea, countryside, another city. */
export const reachMetres = 1_500

/** A spatial index of every straight street segment; item + its edge's number is the segment's first vertex. */
export function buildSegmentIndex(network: Network): Flatbush {
  const edges = network.edgeFrom.length
  const index = new Flatbush(network.vertexX.length - edges, 16, Uint32Array)
  for (let edge = 0; edge < edges; edge++) {
    const last = (network.vertexStart[edge + 1] as number) - 1
    for (let at = network.vertexStart[edge] as number; at < last; at++) {
      const ax = network.vertexX[at] as number
      const ay = network.vertexY[at] as number
      const bx = network.vertexX[at + 1] as number
      const by = network.vertexY[at + 1] as number
      index.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by))
    }
  }
  index.finish()
  return index
}

/** The edge of each item in the segment index. */
export function segmentEdges(network: Network): Uint32Array {
  const edges = network.edgeFrom.length
  const edgeOf = new Uint32Array(network.vertexX.length - edges)
  for (let edge = 0; edge < edges; edge++) {
    edgeOf.fill(
      edge,
      (network.vertexStart[edge] as number) - edge,
      (network.vertexStart[edge + 1] as number) - edge - 1,
    )
  }
  return edgeOf
}

export interface SnapOptions {
  /** Meters, at most `reachMetres`. */
  within?: number
  /** Filters edges. */
  keep?: (edge: number) => boolean
}

/** The nearest point on any street, or null if none is within reach. */
export function snap(
  network: Network,
  index: Flatbush,
  edgeOf: Uint32Array,
  point: LatLng,
  { within = reachMetres, keep }: SnapOptions = {},
): Snap | null {
  const { x, y } = toWorld(point)
  const scale = metresPerUnit(y)
  for (const radius of [60, 300, within]) {
    const reach = radius / scale
    let best = reach
    let found: Snap | null = null
    for (const item of index.search(x - reach, y - reach, x + reach, y + reach)) {
      const edge = edgeOf[item] as number
      if (keep && !keep(edge)) continue
      const segment = item + edge
      const ax = network.vertexX[segment] as number
      const ay = network.vertexY[segment] as number
      const dx = (network.vertexX[segment + 1] as number) - ax
      const dy = (network.vertexY[segment + 1] as number) - ay
      const share = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
      const away = Math.hypot(ax + share * dx - x, ay + share * dy - y)
      if (away >= best) continue
      best = away
      const begin = network.vertexMetres[segment] as number
      const end = network.vertexMetres[segment + 1] as number
      const length = network.vertexMetres[(network.vertexStart[edge + 1] as number) - 1] as number
      const along = begin + share * (end - begin)
      found = { edge, segment, along, length, away: away * scale, x: ax + share * dx, y: ay + share * dy }
    }
    if (found) return found
  }
  return null
}

/** Streets open to cars, queried while the map is prepared. Positions are in world units. */
export class Roadside implements RoadsNearby {
  private readonly index
  private readonly edgeOf

  constructor(private readonly network: NamedNetwork) {
    this.index = buildSegmentIndex(network)
    this.edgeOf = segmentEdges(network)
  }

  stopNear(x: number, y: number, within = reachMetres): ReturnType<RoadsNearby['stopNear']> {
    return snap(this.network, this.index, this.edgeOf, toLatLng(x, y), { within })
  }

  /** The name of the nearest street that has one, or null. */
  nameNear(x: number, y: number, within: number): string | null {
    const keep = (edge: number) => this.network.edgeName[edge] !== ''
    const found = snap(this.network, this.index, this.edgeOf, toLatLng(x, y), { within, keep })
    return found && (this.network.edgeName[found.edge] as string)
  }
}
