import type { SourceFeature } from '../source.ts'
import { metresBetween, toLatLng } from '../world.ts'
import { carUse } from './drivable.ts'

/**
 * The street graph as number columns. A node is where streets meet or end; an edge is the piece of street between two
 * nodes, with vertices from `vertexStart[edge]` to `vertexStart[edge + 1]`. Weights are integer milliseconds of
 * driving, so that sums do not depend on the order of addition; 0 means that the direction is closed.
 */
export interface Network {
  nodeCount: number
  edgeFrom: Uint32Array
  edgeTo: Uint32Array
  forwardMs: Uint32Array
  backwardMs: Uint32Array
  vertexStart: Uint32Array
  vertexX: Uint32Array
  vertexY: Uint32Array
  vertexLat: Float64Array
  vertexLng: Float64Array
  /** Metres from the edge's first vertex. */
  vertexMetres: Float64Array
}

/** The network during preparation: with each edge's street name, empty if it has none. */
export interface NamedNetwork extends Network {
  edgeName: string[]
}

interface Piece {
  name: string
  from: number
  to: number
  vertices: number[]
  forwardKmh: number
  backwardKmh: number
}

/** Milliseconds to drive one straight segment; at least one, so that no street is free. 0 means closed. */
export function segmentMs(metres: number, kmh: number): number {
  return kmh === 0 ? 0 : Math.max(1, Math.round((metres * 3600) / kmh))
}

/**
 * Builds the car network from the map data: splits ways where they share a vertex, including tile borders, so that a
 * street cut at a border is reconnected. Only the largest strongly connected component remains: every position is
 * reachable from every other. Turn restrictions are not supported: they are relations, which the source tiles do not
 * contain.
 */
export function buildNetwork(features: SourceFeature[]): NamedNetwork {
  const { lines, uses, useCount } = collectLines(features)
  const nodeOf = new Map<number, number>()
  const node = (vertex: number): number => {
    const known = nodeOf.get(vertex)
    if (known !== undefined) return known
    nodeOf.set(vertex, nodeOf.size)
    return nodeOf.size - 1
  }
  const pieces: Piece[] = []
  lines.vertices.forEach((way, index) => {
    const use = uses[index]
    let start = 0
    for (let at = 1; at < way.length; at++) {
      if (at < way.length - 1 && (useCount[way[at] as number] as number) < 2) continue
      const vertices = way.slice(start, at + 1)
      pieces.push({
        from: node(way[start] as number),
        to: node(way[at] as number),
        vertices,
        ...(use as (typeof uses)[0]),
      })
      start = at
    }
  })
  return toColumns(pieces, nodeOf.size, lines.x, lines.y)
}

function collectLines(features: SourceFeature[]) {
  const x: number[] = []
  const y: number[] = []
  const useCount: number[] = []
  const vertexAt = new Map<string, number>()
  const vertices: number[][] = []
  const uses: { name: string; forwardKmh: number; backwardKmh: number }[] = []
  for (const feature of features) {
    if (feature.shape !== 'line') continue
    const use = carUse(feature.tags)
    if (!use) continue
    for (const ring of feature.rings) {
      const way: number[] = []
      for (let i = 0; i < ring.length; i += 2) {
        const key = `${ring[i]},${ring[i + 1]}`
        let vertex = vertexAt.get(key)
        if (vertex === undefined) {
          vertex = x.length
          vertexAt.set(key, vertex)
          x.push(ring[i] as number)
          y.push(ring[i + 1] as number)
          useCount.push(0)
        }
        if (way.at(-1) !== vertex) way.push(vertex)
      }
      if (way.length < 2) continue
      for (const vertex of way) useCount[vertex] = (useCount[vertex] as number) + 1
      vertices.push(way)
      uses.push({ ...use, name: feature.tags.name ?? '' })
    }
  }
  return { lines: { vertices, x, y }, uses, useCount }
}

function toColumns(all: Piece[], allNodes: number, x: number[], y: number[]): NamedNetwork {
  const kept = largestComponent(allNodes, all)
  const renumbered = new Map<number, number>()
  const renumber = (node: number): number => {
    const known = renumbered.get(node)
    if (known !== undefined) return known
    renumbered.set(node, renumbered.size)
    return renumbered.size - 1
  }
  const pieces = all.filter((piece) => kept[piece.from] && kept[piece.to])
  const vertexCount = pieces.reduce((sum, piece) => sum + piece.vertices.length, 0)
  const network: NamedNetwork = {
    nodeCount: 0,
    edgeFrom: new Uint32Array(pieces.length),
    edgeTo: new Uint32Array(pieces.length),
    forwardMs: new Uint32Array(pieces.length),
    backwardMs: new Uint32Array(pieces.length),
    vertexStart: new Uint32Array(pieces.length + 1),
    vertexX: new Uint32Array(vertexCount),
    vertexY: new Uint32Array(vertexCount),
    vertexLat: new Float64Array(vertexCount),
    vertexLng: new Float64Array(vertexCount),
    vertexMetres: new Float64Array(vertexCount),
    edgeName: pieces.map((piece) => piece.name),
  }
  let next = 0
  pieces.forEach((piece, edge) => {
    network.edgeFrom[edge] = renumber(piece.from)
    network.edgeTo[edge] = renumber(piece.to)
    network.vertexStart[edge] = next
    let metres = 0
    let forward = 0
    let backward = 0
    piece.vertices.forEach((vertex, index) => {
      const vx = x[vertex] as number
      const vy = y[vertex] as number
      if (index > 0) {
        const step = metresBetween(
          network.vertexX[next - 1] as number,
          network.vertexY[next - 1] as number,
          vx,
          vy,
        )
        metres += step
        forward += segmentMs(step, piece.forwardKmh)
        backward += segmentMs(step, piece.backwardKmh)
      }
      const { lat, lng } = toLatLng(vx, vy)
      network.vertexX[next] = vx
      network.vertexY[next] = vy
      network.vertexLat[next] = lat
      network.vertexLng[next] = lng
      network.vertexMetres[next] = metres
      next++
    })
    network.forwardMs[edge] = forward
    network.backwardMs[edge] = backward
  })
  network.vertexStart[pieces.length] = next
  network.nodeCount = renumbered.size
  return network
}

interface Link {
  from: number
  to: number
  forwardKmh: number
  backwardKmh: number
}

/** Marks the nodes of the largest strongly connected component, with Tarjan's algorithm without recursion. */
function largestComponent(nodeCount: number, links: Link[]): Uint8Array {
  const out: number[][] = Array.from({ length: nodeCount }, () => [])
  for (const link of links) {
    if (link.forwardKmh > 0) out[link.from]?.push(link.to)
    if (link.backwardKmh > 0) out[link.to]?.push(link.from)
  }
  const order = new Int32Array(nodeCount).fill(-1)
  const low = new Int32Array(nodeCount)
  const part = new Int32Array(nodeCount).fill(-1)
  const cursor = new Uint32Array(nodeCount)
  const open: number[] = []
  const sizes: number[] = []
  let clock = 0
  for (let root = 0; root < nodeCount; root++) {
    if (order[root] !== -1) continue
    const path = [root]
    while (path.length > 0) {
      const node = path.at(-1) as number
      if (order[node] === -1) {
        order[node] = low[node] = clock++
        open.push(node)
      }
      const at = cursor[node] as number
      cursor[node] = at + 1
      const next = out[node]?.[at]
      if (next !== undefined) {
        if (order[next] === -1) path.push(next)
        else if (part[next] === -1) low[node] = Math.min(low[node] as number, order[next] as number)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[node] as number)
      if (low[node] !== order[node]) continue
      let member: number
      let size = 0
      do {
        member = open.pop() as number
        part[member] = sizes.length
        size++
      } while (member !== node)
      sizes.push(size)
    }
  }
  const largest = sizes.indexOf(Math.max(...sizes))
  return Uint8Array.from(part, (number) => (number === largest ? 1 : 0))
}
