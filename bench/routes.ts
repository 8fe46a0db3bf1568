import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type PeerFinder from 'geojson-path-finder'
import { readQaTiles } from '../apps/server/src/adapters/maps/embedded/source/qa-tiles.ts'
import { readPbf } from '../apps/server/src/adapters/maps/embedded/source/read-pbf.ts'
import {
  buildNetwork,
  numberByRank,
} from '../apps/server/src/adapters/maps/embedded/streets/build-network.ts'
import { buildHierarchy } from '../apps/server/src/adapters/maps/embedded/streets/hierarchy.ts'
import { isPrivate, type Network } from '../apps/server/src/adapters/maps/embedded/streets/network.ts'
import { plainDijkstra } from '../apps/server/src/adapters/maps/embedded/streets/plain-dijkstra.ts'
import { forbiddenPaths } from '../apps/server/src/adapters/maps/embedded/streets/restrictions.ts'
import { Streets } from '../apps/server/src/adapters/maps/embedded/streets/route.ts'
import { buildStreetIndex } from '../apps/server/src/adapters/maps/embedded/streets/snap.ts'
import { splitWays } from '../apps/server/src/adapters/maps/embedded/streets/split-ways.ts'
import { randomFrom } from '../apps/server/src/adapters/maps/embedded/streets/test-drives.ts'
import { toLatLng } from '../apps/server/src/adapters/maps/embedded/world.ts'
import { against, type Line, ratioOf, rounded } from './limits.ts'
import { distanceLines } from './trip-distance.ts'

/** Its ES module imports files without an extension, which Node does not resolve, so the CommonJS one is loaded. */
const { default: PathFinder } = createRequire(import.meta.url)('geojson-path-finder') as {
  default: typeof PeerFinder
}

/**
 * Routes between 1,000 random pairs of intersections, in the packaged city or in the `.osm.pbf` extracts that
 * BENCH_EXTRACTS lists, separated by commas. Ours is timed as the product returns it: both points snapped to their
 * street, the route, its line, distance and duration. The peer gets vertices of the same network, the only points it
 * accepts, and also returns the line; it knows no turn restrictions. All our durations are compared with those of
 * Dijkstra's algorithm with turn restrictions before anything is printed.
 */
const pairs = 1_000
const many = 500

/** Throws when one of our durations differs from Dijkstra's. */
export async function run(): Promise<Line[]> {
  const extracts = process.env.BENCH_EXTRACTS?.split(',').filter(Boolean) ?? []
  const lines: Line[] = []
  for (const extract of extracts.length > 0 ? extracts : [null]) lines.push(...(await measure(extract)))
  return lines
}

async function measure(extract: string | null): Promise<Line[]> {
  const name = extract === null ? 'Montevideo' : basename(extract, '.osm.pbf')
  const { roads } = extract === null ? readQaTiles() : readPbf(extract, () => {})
  const built = buildNetwork(roads)
  const contracted = performance.now()
  const { hierarchy, rankOf } = buildHierarchy(built.graph)
  const contraction = performance.now() - contracted
  const { network, turns } = numberByRank(built, rankOf)
  const index = buildStreetIndex(network)
  const edges = network.edgeFrom.length
  const edgeStreet = new Int32Array(edges)
  const streets = new Streets({ network, turns, hierarchy, index, edgeStreet })
  const columns = [network, turns, hierarchy].flatMap((part) => Object.values(part) as ArrayBufferView[])
  const bytes =
    [...columns, index.itemVertex, edgeStreet].reduce((sum, column) => sum + column.byteLength, 0) +
    index.boxes.data.byteLength

  const random = randomFrom(20_261_121)
  const all = splitWays(roads)
  const single = new Set(uniqueNodes(all).map(keyOf))
  const open = new Set<string>()
  eachEnd(network, (_, at, edge) => isPrivate(network, edge) || open.add(keyOf(at)))
  const places = uniqueNodes(network).filter((at) => {
    // Another street may pass over the node.
    const { along = 1, length = 0 } = streets.snap(at) ?? {}
    return Math.min(along, length - along) < 0.01 && single.has(keyOf(at)) && open.has(keyOf(at))
  })
  const place = () => places[Math.floor(random() * places.length)] as LatLng
  const ends = Array.from({ length: pairs }, () => [place(), place()])
  const found = ends.map((end) => streets.route(end))
  const ours = msEach(ends, (end) => streets.route(end))

  const reference = plainDijkstra(all, forbiddenPaths(roads.restrictions, all))
  const nodeAt = nodesByPlace(all)
  const costs = ends.map(([from, to]) => reference(nodeAt(from as LatLng), nodeAt(to as LatLng)))
  found.forEach((route, at) => {
    const ms = route ? Math.round(route.durationS * 1000) : Number.POSITIVE_INFINITY
    if (ms !== costs[at])
      throw new Error(`${name}: pair ${at} costs ${ms} ms, Dijkstra finds ${costs[at]} ms`)
  })
  const { peer, equal } = measurePeer(network, ends, costs)

  const starts = Array.from({ length: many }, place)
  const table = fastest(() => streets.driveTimeTable(starts, [place()]))
  const otherWay = fastest(() => streets.driveTimeTable([place()], starts))
  const others = fastest(() =>
    ends.slice(0, 100).map(([a, b]) => streets.alternatives(a as LatLng, b as LatLng)),
  )
  const counts = ends.slice(0, 100).map(([a, b]) => streets.alternatives(a as LatLng, b as LatLng).length - 1)
  const driven = found.flatMap((route) => (route && route.distanceKm > 2 ? [route] : [])).slice(0, 60)
  return [
    {
      job: `routes over 1,000 random pairs in ${name} (${equal} of the peer's cost the same)`,
      unit: 'ms a route',
      ours: rounded(ours),
      peer: rounded(peer),
      peer_name: 'geojson-path-finder 2.1.0',
      ratio: ratioOf(peer, ours),
    },
    against(`${many} places to one in ${name}`, 'ms', table, 5),
    against(`one place to ${many} in ${name}`, 'ms', otherWay, 5),
    against(
      `route with ${counts.reduce((sum, count) => sum + count, 0) / 100} others in ${name}`,
      'ms',
      others / 100,
      5,
    ),
    ...(await distanceLines(streets, driven, name)),
    against(
      `streets in memory, ${name}: ${edges} edges; ten million ${rounded((bytes / edges) * 0.01)} GB`,
      'bytes an edge',
      bytes / edges,
      200,
    ),
    against(`contraction in ${name}, a million edges`, 's', (contraction / edges) * 1_000, 50),
  ]
}

type PeerPoint = Parameters<PeerFinder<undefined, { edge: number }>['findPath']>[0]

function measurePeer(network: Network, ends: LatLng[][], costs: number[]): { peer: number; equal: number } {
  const finder = peerOf(network)
  const peerEnds = ends.map((end) => end.map(pointFeature))
  const find = ([from, to]: PeerPoint[]) => finder.findPath(from as PeerPoint, to as PeerPoint)
  const found = peerEnds.map(find)
  const peer = msEach(peerEnds, find)
  const equal = found.filter((path, at) => Math.abs((path?.weight ?? Number.NaN) - (costs[at] as number)) < 1)
  return { peer, equal: equal.length }
}

function pointFeature({ lat, lng }: LatLng): PeerPoint {
  return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [lng, lat] } }
}

/** Builds the peer with the same edges and vertices; an edge's cost is spread over its segments by length. */
function peerOf(network: Network): PeerFinder<undefined, { edge: number }> {
  const metresAt = new Map<string, number>()
  const lengths: number[] = []
  const key = (edge: number, position: number[]) => `${edge}:${position[0]},${position[1]}`
  const features = Array.from(network.edgeFrom, (_, edge) => {
    const coordinates: [number, number][] = []
    let metres = 0
    for (let at = network.vertexStart[edge] as number; at < (network.vertexStart[edge + 1] as number); at++) {
      const { lat, lng } = placeOf(network, at)
      if (coordinates.length > 0) metres += greatCircleKm(placeOf(network, at - 1), { lat, lng }) * 1000
      coordinates.push([lng, lat])
      metresAt.set(key(edge, [lng, lat]), metres)
    }
    lengths[edge] = metres
    return {
      type: 'Feature' as const,
      properties: { edge },
      geometry: { type: 'LineString' as const, coordinates },
    }
  }).filter((_, edge) => network.edgeFrom[edge] !== network.edgeTo[edge])
  return new PathFinder(
    { type: 'FeatureCollection', features },
    {
      tolerance: 1e-9,
      weight: (a, b, { edge }) => {
        const part = (metresAt.get(key(edge, b)) as number) - (metresAt.get(key(edge, a)) as number)
        const share = part / (lengths[edge] as number)
        return {
          forward: share * (network.forwardMs[edge] as number),
          backward: share * (network.backwardMs[edge] as number),
        }
      },
    },
  )
}

const placeOf = ({ vertexX, vertexY }: Network, vertex: number): LatLng =>
  toLatLng(vertexX[vertex] as number, vertexY[vertex] as number)

const keyOf = ({ lat, lng }: LatLng) => `${lat},${lng}`

function eachEnd(network: Network, visit: (node: number, place: LatLng, edge: number) => void): void {
  network.edgeFrom.forEach((from, edge) => {
    visit(from, placeOf(network, network.vertexStart[edge] as number), edge)
    visit(
      network.edgeTo[edge] as number,
      placeOf(network, (network.vertexStart[edge + 1] as number) - 1),
      edge,
    )
  })
}

/** A barrier has one on each side at the same position: a point there may be either. */
function uniqueNodes(network: Network): LatLng[] {
  const nodes = new Map<string, { place: LatLng; at: Set<number> }>()
  eachEnd(network, (node, place) => {
    const known = nodes.get(keyOf(place)) ?? { place, at: new Set() }
    known.at.add(node)
    nodes.set(keyOf(place), known)
  })
  return [...nodes.values()].filter(({ at }) => at.size === 1).map(({ place }) => place)
}

function nodesByPlace(network: Network): (place: LatLng) => number {
  const nodes = new Map<string, number>()
  eachEnd(network, (node, place) => nodes.set(keyOf(place), node))
  return (place) => nodes.get(keyOf(place)) ?? -1
}

/** Milliseconds a call takes, over the fastest of the rounds that fit into 3 seconds, after an untimed one. */
function msEach<T>(inputs: readonly T[], call: (input: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (const end = performance.now() + 3_000; performance.now() < end; ) {
    const began = performance.now()
    for (const input of inputs) call(input)
    best = Math.min(best, performance.now() - began)
  }
  return best / inputs.length
}

/** Milliseconds of the fastest of 20 calls: the least disturbed one. */
function fastest(call: () => unknown): number {
  return Math.min(
    ...Array.from({ length: 20 }, () => {
      const began = performance.now()
      call()
      return performance.now() - began
    }),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const line of await run()) console.log(JSON.stringify(line))
