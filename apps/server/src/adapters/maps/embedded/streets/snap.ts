import type { LatLng } from '@hansom/domain/geo/point'
import Flatbush from 'flatbush'
import type { RoadsNearby } from '../search/stopping-points.ts'
import { metresBetween, metresPerUnit, toLatLng, toWorld } from '../world.ts'
import type { BuiltNetwork } from './build-network.ts'
import { edgeKind, firstAtLeast, type Network } from './network.ts'

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

export type Found = Omit<Snap, 'along' | 'length'>

/** A point farther than this from any street is outside the service area: sea, countryside, another city. */
export const reachMetres = 1_500

/** A trip begins or ends on a private street if this is nearer than every other street by more than this. */
const privateMetres = 25

/** Meters searched first: most points are on or beside a street, and a small area has few. */
const widerRadii = [15, 60, 300]

/** Straight segments in one item of the index: fewer make it larger, more make it slower. */
const segmentsPerItem = 6

/** A spatial index of short pieces of street; `itemVertex` is the first vertex of each. */
export interface StreetIndex {
  boxes: Flatbush
  itemVertex: Uint32Array
}

export function buildStreetIndex({ vertexStart, vertexX, vertexY }: Network): StreetIndex {
  const edges = vertexStart.length - 1
  const starts: number[] = []
  for (let edge = 0; edge < edges; edge++) {
    const last = (vertexStart[edge + 1] as number) - 1
    for (let at = vertexStart[edge] as number; at < last; at += segmentsPerItem) starts.push(at)
  }
  const boxes = new Flatbush(Math.max(1, starts.length), 16, Uint32Array)
  let edge = 0
  for (const first of starts) {
    while ((vertexStart[edge + 1] as number) <= first) edge++
    const last = Math.min(first + segmentsPerItem, (vertexStart[edge + 1] as number) - 1)
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let at = first; at <= last; at++) {
      west = Math.min(west, vertexX[at] as number)
      east = Math.max(east, vertexX[at] as number)
      north = Math.min(north, vertexY[at] as number)
      south = Math.max(south, vertexY[at] as number)
    }
    boxes.add(west, north, east, south)
  }
  if (starts.length === 0) boxes.add(0, 0, 0, 0)
  boxes.finish()
  return { boxes, itemVertex: Uint32Array.from(starts) }
}

export interface SnapOptions {
  /** Meters, at most `reachMetres`. */
  within?: number
  /** Filters edges. */
  keep?: (edge: number) => boolean
}

/** Where a trip from or to a point begins or ends: the nearest street open to cars, or null if none is within reach. */
export function snap(network: Network, index: StreetIndex, point: LatLng, within = reachMetres): Snap | null {
  const isOf = (kinds: number) => (edge: number) => network.edgeKinds[edge] === kinds
  const open = nearest(network, index, point, { within, keep: isOf(0) })
  const nearer = (open?.away ?? within + privateMetres) - privateMetres
  const secluded =
    nearer > 0 ? nearest(network, index, point, { within: nearer, keep: isOf(edgeKind.private) }) : null
  return secluded ?? open
}

/** The nearest point on any edge that `keep` accepts. */
export function nearest(
  network: Network,
  index: StreetIndex,
  point: LatLng,
  { within = reachMetres, keep = () => true }: SnapOptions,
): Snap | null {
  for (const radius of [...widerRadii.filter((one) => one < within), within]) {
    let best: Found | null = null
    let least = Number.POSITIVE_INFINITY
    eachNear(network, index, point, radius, keep, (edge, segment, x, y, away) => {
      if (away >= least) return
      least = away
      best = { edge, segment, x, y, away }
    })
    if (best) return measured(network, best)
  }
  return null
}

/** Visits the nearest point of each index item: its edge, segment, place in world units, and meters away. */
export function eachNear(
  { vertexStart, vertexX, vertexY }: Network,
  { boxes, itemVertex }: StreetIndex,
  point: LatLng,
  radius: number,
  keep: (edge: number) => boolean,
  visit: (edge: number, segment: number, x: number, y: number, away: number) => void,
): void {
  if (itemVertex.length === 0) return
  const { x, y } = toWorld(point)
  const scale = metresPerUnit(y)
  const reach = radius / scale
  for (const item of boxes.search(x - reach, y - reach, x + reach, y + reach)) {
    const first = itemVertex[item] as number
    const edge = edgeAt(vertexStart, first)
    if (!keep(edge)) continue
    const last = Math.min(first + segmentsPerItem, (vertexStart[edge + 1] as number) - 1)
    let [best, bestX, bestY, bestSegment] = [reach * reach, 0, 0, -1]
    for (let segment = first; segment < last; segment++) {
      const ax = vertexX[segment] as number
      const ay = vertexY[segment] as number
      const dx = (vertexX[segment + 1] as number) - ax
      const dy = (vertexY[segment + 1] as number) - ay
      const share = shareAlong(dx, dy, x - ax, y - ay)
      const nearX = ax + share * dx
      const nearY = ay + share * dy
      const away = (nearX - x) * (nearX - x) + (nearY - y) * (nearY - y)
      if (away > best) continue
      best = away
      bestX = nearX
      bestY = nearY
      bestSegment = segment
    }
    if (bestSegment >= 0) visit(edge, bestSegment, bestX, bestY, Math.sqrt(best) * scale)
  }
}

/** Where on a straight segment from 0, 0 to `dx`, `dy` the point nearest to `x`, `y` is, from 0 to 1. */
export const shareAlong = (dx: number, dy: number, x: number, y: number) =>
  Math.max(0, Math.min(1, (x * dx + y * dy) / (dx * dx + dy * dy || 1)))

/** Fills in the position along the edge. */
export function measured({ vertexStart, vertexX, vertexY }: Network, found: Found): Snap {
  const metresTo = (at: number, x: number, y: number) =>
    metresBetween(vertexX[at] as number, vertexY[at] as number, x, y)
  let along = 0
  let length = 0
  const last = (vertexStart[found.edge + 1] as number) - 1
  for (let at = vertexStart[found.edge] as number; at < last; at++) {
    if (at === found.segment) along = length + metresTo(at, found.x, found.y)
    length += metresTo(at, vertexX[at + 1] as number, vertexY[at + 1] as number)
  }
  return { ...found, along: Math.min(along, length), length }
}

const edgeAt = (vertexStart: Uint32Array, vertex: number) => firstAtLeast(vertexStart, vertex + 1) - 1

/** Streets open to cars, queried while the map is prepared. Positions are in world units. */
export class Roadside implements RoadsNearby {
  readonly index

  constructor(private readonly network: BuiltNetwork) {
    this.index = buildStreetIndex(network)
  }

  stopNear(x: number, y: number, within = reachMetres): ReturnType<RoadsNearby['stopNear']> {
    return snap(this.network, this.index, toLatLng(x, y), within)
  }

  /** The name of the nearest street that has one, or null. */
  nameNear(x: number, y: number, within: number): string | null {
    const keep = (edge: number) => this.network.edgeName[edge] !== ''
    const found = nearest(this.network, this.index, toLatLng(x, y), { within, keep })
    return found && (this.network.edgeName[found.edge] as string)
  }
}
