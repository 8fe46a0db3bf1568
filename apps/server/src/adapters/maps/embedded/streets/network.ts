import type { RoadSource } from '../source/map-source.ts'
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
export function buildNetwork({ ways, x, y }: RoadSource): NamedNetwork {
  const roads = [...ways()].flatMap(({ tags, nodes: all }) => {
    const use = carUse(tags)
    const nodes = all.filter((node, at) => node !== all[at - 1])
    return use && nodes.length > 1 ? [{ ...use, name: tags.name ?? '', nodes }] : []
  })
  const useCount = new Uint32Array(x.length)
  for (const { nodes } of roads) for (const node of nodes) useCount[node] = (useCount[node] as number) + 1
  const nodeOf = new Map<number, number>()
  const node = (vertex: number): number => {
    const known = nodeOf.get(vertex)
    if (known !== undefined) return known
    nodeOf.set(vertex, nodeOf.size)
    return nodeOf.size - 1
  }
  const pieces: Piece[] = []
  for (const { nodes, ...use } of roads) {
    let start = 0
    for (let at = 1; at < nodes.length; at++) {
      if (at < nodes.length - 1 && (useCount[nodes[at] as number] as number) < 2) continue
      pieces.push({
        from: node(nodes[start] as number),
        to: node(nodes[at] as number),
        vertices: nodes.slice(start, at + 1),
        ...use,
      })
      start = at
    }
  }
  return toColumns(pieces, nodeOf.size, x, y)
}

function toColumns(all: Piece[], allNodes: number, x: Uint32Array, y: Uint32Array): NamedNetwork {
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
