import type { RoadSource, RoadWay } from '../source/map-source.ts'
import { metresBetween } from '../world.ts'
import { type CarAccess, carAccess, isFerry, stopsCars } from './access.ts'
import { edgeKind, type Network } from './network.ts'
import { ferrySpeed, streetSpeeds } from './speeds.ts'

/** All streets open to cars, connected or not. */
export interface StreetEdges extends Network {
  nodeCount: number
  edgeName: string[]
  /** The edges of the ways that turn restrictions mention. */
  edgesOfWay: Map<number, number[]>
  /** The node at a position of the map data; undefined if no street is split there or a barrier cuts it. */
  nodeAt(position: number): number | undefined
}

type Visit = (way: RoadWay, access: CarAccess, from: number, to: number) => void

/** Splits the ways where they meet, and cuts them at barriers that stop cars. */
export function splitWays(roads: RoadSource): StreetEdges {
  const uses = new Uint8Array(roads.x.length)
  eachCarWay(roads, ({ nodes }) => {
    for (const node of nodes) if ((uses[node] as number) < 2) uses[node] = (uses[node] as number) + 1
  })
  const cuts = barrierCuts(roads)
  const eachPiece = (visit: Visit) =>
    eachCarWay(roads, (way, access) => {
      const { nodes } = way
      let start = 0
      for (let at = 1; at < nodes.length; at++) {
        const node = nodes[at] as number
        if (at < nodes.length - 1 && (uses[node] as number) < 2 && !cuts.has(node)) continue
        visit(way, access, start, at)
        start = at
      }
    })
  let edges = 0
  let vertices = 0
  eachPiece((_, __, from, to) => {
    edges++
    vertices += to - from + 1
  })
  return fill(roads, cuts, { edges, vertices }, eachPiece)
}

function fill(
  { x, y, restrictions }: RoadSource,
  cuts: ReadonlySet<number>,
  { edges, vertices }: { edges: number; vertices: number },
  eachPiece: (visit: Visit) => void,
): StreetEdges {
  const edgesOfWay = new Map<number, number[]>()
  for (const { from, to, viaWays } of restrictions)
    for (const way of [...from, ...viaWays, ...to]) edgesOfWay.set(way, [])
  const nodeOf = new Int32Array(x.length).fill(-1)
  const streets: Network = {
    edgeFrom: new Uint32Array(edges),
    edgeTo: new Uint32Array(edges),
    forwardMs: new Uint32Array(edges),
    backwardMs: new Uint32Array(edges),
    edgeDm: new Uint32Array(edges),
    edgeKinds: new Uint8Array(edges),
    vertexStart: new Uint32Array(edges + 1),
    vertexX: new Uint32Array(vertices),
    vertexY: new Uint32Array(vertices),
  }
  const edgeName: string[] = []
  let nodeCount = 0
  const node = (position: number) => {
    // The streets on the two sides of a barrier are not connected.
    if (cuts.has(position)) return nodeCount++
    if (nodeOf[position] === -1) nodeOf[position] = nodeCount++
    return nodeOf[position] as number
  }
  let next = 0
  eachPiece(({ id, tags, nodes }, access, from, to) => {
    const edge = edgeName.push(tags.name ?? '') - 1
    streets.edgeFrom[edge] = node(nodes[from] as number)
    streets.edgeTo[edge] = node(nodes[to] as number)
    streets.vertexStart[edge] = next
    for (let at = from; at <= to; at++) {
      streets.vertexX[next] = x[nodes[at] as number] as number
      streets.vertexY[next] = y[nodes[at] as number] as number
      next++
    }
    const metres = lengthOf(nodes, from, to, x, y)
    const ferry = isFerry(tags) && tags.highway === undefined
    const kmh = ferry ? ferrySpeed(tags, lengthOf(nodes, 0, nodes.length - 1, x, y)) : null
    const { forward, backward } = kmh === null ? streetSpeeds(tags) : { forward: kmh, backward: kmh }
    streets.forwardMs[edge] = access.forward ? driveMs(metres, forward) : 0
    streets.backwardMs[edge] = access.backward ? driveMs(metres, backward) : 0
    streets.edgeDm[edge] = Math.round(metres * 10)
    streets.edgeKinds[edge] = (access.isPrivate ? edgeKind.private : 0) + (ferry ? edgeKind.ferry : 0)
    edgesOfWay.get(id)?.push(edge)
  })
  streets.vertexStart[edges] = next
  const nodeAt = (position: number) => {
    const known = nodeOf[position] ?? -1
    return known === -1 ? undefined : known
  }
  return { ...streets, nodeCount, edgeName, edgesOfWay, nodeAt }
}

/** At least 1 ms, so that no street is free. */
function driveMs(metres: number, kmh: number): number {
  return Math.max(1, Math.round((metres * 3600) / kmh))
}

function lengthOf(
  nodes: readonly number[],
  from: number,
  to: number,
  x: Uint32Array,
  y: Uint32Array,
): number {
  let metres = 0
  for (let at = from + 1; at <= to; at++) {
    const [a, b] = [nodes[at - 1] as number, nodes[at] as number]
    metres += metresBetween(x[a] as number, y[a] as number, x[b] as number, y[b] as number)
  }
  return metres
}

function eachCarWay(roads: RoadSource, visit: (way: RoadWay, access: CarAccess) => void): void {
  for (const way of roads.ways()) {
    const access = carAccess(way.tags)
    if (!access) continue
    const nodes = way.nodes.filter((node, at) => node !== way.nodes[at - 1])
    if (nodes.length > 1) visit({ ...way, nodes }, access)
  }
}

/**
 * The positions where a barrier stops cars. As in GraphHopper, a barrier where ways of any kind cross is ignored: it
 * belongs to one of them, and the data does not say to which.
 */
function barrierCuts({ ways, barriers }: RoadSource): Set<number> {
  const cuts = new Set<number>()
  for (const [node, tags] of barriers) if (stopsCars(tags)) cuts.add(node)
  const ends = new Map<number, number>()
  const inside = new Set<number>()
  for (const { nodes } of ways()) {
    nodes.forEach((node, at) => {
      if (!cuts.has(node)) return
      const isEnd = at === 0 || at === nodes.length - 1
      const known = ends.get(node) ?? 0
      if (isEnd ? known > 1 || inside.has(node) : known > 0 || inside.has(node)) cuts.delete(node)
      else if (isEnd) ends.set(node, known + 1)
      else inside.add(node)
    })
  }
  return cuts
}
