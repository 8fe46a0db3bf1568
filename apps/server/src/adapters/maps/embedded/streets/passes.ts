import type { LatLng } from '@hansom/domain/geo/point'
import { metresPerUnit, toWorld } from '../world.ts'
import type { Network } from './network.ts'
import { eachNear, type Found, measured, type Snap, type StreetIndex, shareAlong } from './snap.ts'

/** Points of an edge that both are near count as two passes if they are this many meters apart along it. */
const passApart = 50

/**
 * Where the edges that `keep` accepts pass within `radius` meters, the nearest first. An edge with hairpin bends passes
 * a point several times.
 */
export function nearby(
  network: Network,
  index: StreetIndex,
  point: LatLng,
  radius: number,
  keep: (edge: number) => boolean,
): Snap[] {
  const edges = new Set<number>()
  eachNear(network, index, point, radius, keep, (edge) => edges.add(edge))
  return [...edges].flatMap((edge) => passesOf(network, edge, point, radius)).sort((a, b) => a.away - b.away)
}

/** The points of an edge within `radius` meters that are nearer than those around them, the nearest first. */
function passesOf(network: Network, edge: number, point: LatLng, radius: number): Snap[] {
  const { vertexStart } = network
  const { x, y } = toWorld(point)
  const nearest: Found[] = []
  let low: Found | null = null
  let before = Number.POSITIVE_INFINITY
  const last = (vertexStart[edge + 1] as number) - 1
  for (let segment = vertexStart[edge] as number; segment < last; segment++) {
    const found = onSegment(network, edge, segment, x, y)
    if (found.away < before) low = found
    if (found.away > before && low) {
      nearest.push(low)
      low = null
    }
    before = found.away
  }
  if (low) nearest.push(low)
  const passes: Snap[] = []
  for (const found of nearest.sort((a, b) => a.away - b.away)) {
    if (found.away > radius) break
    const pass = measured(network, found)
    if (passes.every(({ along }) => Math.abs(along - pass.along) >= passApart)) passes.push(pass)
  }
  return passes
}

/** The point of a straight segment nearest to `x`, `y` in world units. */
function onSegment(
  { vertexX, vertexY }: Network,
  edge: number,
  segment: number,
  x: number,
  y: number,
): Found {
  const [ax, ay] = [vertexX[segment] as number, vertexY[segment] as number]
  const [dx, dy] = [(vertexX[segment + 1] as number) - ax, (vertexY[segment + 1] as number) - ay]
  const share = shareAlong(dx, dy, x - ax, y - ay)
  const [nearX, nearY] = [ax + share * dx, ay + share * dy]
  const away = Math.hypot(nearX - x, nearY - y) * metresPerUnit(y)
  return { edge, segment, x: nearX, y: nearY, away }
}
