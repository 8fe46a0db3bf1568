import type { LatLng } from '@hansom/domain/geo/point'
import Flatbush from 'flatbush'
import { metresPerUnit, toWorld } from '../world.ts'
import type { Network } from './network.ts'

/** A point moved onto the nearest street. `segment` is the vertex that begins the straight piece it lies on. */
export interface Snap {
  edge: number
  segment: number
  /** Metres along the edge, and the edge's whole length. */
  along: number
  length: number
  /** Metres from the point asked for. */
  away: number
  x: number
  y: number
}

/** Farther from any street than this is outside the area served: the sea, open country, another city. */
export const reachMetres = 1_500

/** An index of every straight piece of street; item + its edge's number is the piece's first vertex. */
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

/** Which edge each item of the segment index lies on. */
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
  /** Metres, at most `reachMetres`. */
  within?: number
  /** Leaves edges out. */
  keep?: (edge: number) => boolean
}

/** The nearest place on any street, or null when none is within reach. */
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
