import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type PeerFinder from 'geojson-path-finder'
import { loadStreets } from '../apps/server/src/adapters/maps/embedded/load.ts'
import { RegionStore } from '../apps/server/src/adapters/maps/embedded/region-store.ts'
import type { Network } from '../apps/server/src/adapters/maps/embedded/streets/network.ts'
import { plainDijkstra } from '../apps/server/src/adapters/maps/embedded/streets/plain-dijkstra.ts'
import { toLatLng } from '../apps/server/src/adapters/maps/embedded/world.ts'

/** Its ES module imports files without an extension, which Node does not resolve, so the CommonJS one is loaded. */
const { default: PathFinder } = createRequire(import.meta.url)('geojson-path-finder') as {
  default: typeof PeerFinder
}

/**
 * Routes between 1,000 random pairs of intersections in the real city, on one network with one cost (milliseconds of
 * driving). Ours is timed as the product returns it: both points snapped to their street, the route, its line, distance
 * and duration. The peer gets vertices of the network, the only points it accepts, and also returns the line. All our
 * durations are compared with plain Dijkstra's before anything is printed.
 */
export interface RoutesLine {
  job: string
  unit: string
  ours: number
  peer: number
  peer_name: string
  ratio: number
  pairs: number
  /** Pairs whose cost from the peer equals Dijkstra's to a millisecond. */
  peer_equal: number
}

const pairs = 1_000

/** Throws when one of our durations differs from plain Dijkstra's. */
export async function run(): Promise<RoutesLine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hansom-bench-routes-'))
  try {
    const streets = await new RegionStore(dataDir).open('montevideo', { info: () => {} }, loadStreets)
    const { network } = streets
    const places = nodePlaces(network)
    const node = randomNodes(uniqueNodes(places))
    const trips = Array.from({ length: pairs }, () => [node(), node()] as const)
    const ends = trips.map((trip) => trip.map((at) => places[at] as LatLng))

    for (const end of ends.slice(0, 100)) streets.route(end)
    const began = performance.now()
    const found = ends.map((end) => streets.route(end))
    const ours = performance.now() - began

    const reference = plainDijkstra(network)
    const costs = trips.map(([from, to]) => reference(from, to))
    found.forEach((route, at) => {
      const ms = Math.round((route?.durationS ?? Number.NaN) * 1000)
      if (ms !== costs[at])
        throw new Error(`Route ${trips[at]?.join(' to ')} costs ${ms} ms, Dijkstra finds ${costs[at]} ms`)
    })

    const finder = peerOf(network)
    const peerEnds = ends.map((end) => end.map(pointFeature))
    for (const [from, to] of peerEnds.slice(0, 20)) finder.findPath(from as PeerPoint, to as PeerPoint)
    const peerBegan = performance.now()
    const peerFound = peerEnds.map(([from, to]) => finder.findPath(from as PeerPoint, to as PeerPoint))
    const peer = performance.now() - peerBegan
    const equal = peerFound.filter(
      (path, at) => Math.abs((path?.weight ?? Number.NaN) - (costs[at] as number)) < 1,
    ).length

    return {
      job: 'routes over 1,000 random pairs in Montevideo',
      unit: 'ms a route',
      ours: rounded(ours / pairs),
      peer: rounded(peer / pairs),
      peer_name: 'geojson-path-finder 2.1.0',
      ratio: Math.round((peer / ours) * 10) / 10,
      pairs,
      peer_equal: equal,
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type PeerPoint = Parameters<PeerFinder<undefined, { edge: number }>['findPath']>[0]

function pointFeature({ lat, lng }: LatLng): PeerPoint {
  return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [lng, lat] } }
}

/** Builds the peer with the same edges and vertices; an edge's cost is spread over its segments by length. */
function peerOf(network: Network): PeerFinder<undefined, { edge: number }> {
  const metresAt = new Map<string, number>()
  const key = (edge: number, position: number[]) => `${edge}:${position[0]},${position[1]}`
  const features = Array.from(network.edgeFrom, (_, edge) => {
    const coordinates: [number, number][] = []
    let metres = 0
    for (let at = network.vertexStart[edge] as number; at < (network.vertexStart[edge + 1] as number); at++) {
      const { lat, lng } = placeOf(network, at)
      const position: [number, number] = [lng, lat]
      if (coordinates.length > 0) metres += greatCircleKm(placeOf(network, at - 1), { lat, lng }) * 1000
      coordinates.push(position)
      metresAt.set(key(edge, position), metres)
    }
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
        const last = placeOf(network, (network.vertexStart[edge + 1] as number) - 1)
        const length = metresAt.get(key(edge, [last.lng, last.lat])) as number
        const share =
          ((metresAt.get(key(edge, b)) as number) - (metresAt.get(key(edge, a)) as number)) / length
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

function nodePlaces(network: Network): LatLng[] {
  const places: LatLng[] = []
  network.edgeFrom.forEach((from, edge) => {
    const first = network.vertexStart[edge] as number
    const last = (network.vertexStart[edge + 1] as number) - 1
    places[from] = placeOf(network, first)
    places[network.edgeTo[edge] as number] = placeOf(network, last)
  })
  return places
}

/** A barrier has one node on each side at the same position: a point there may be either. */
function uniqueNodes(places: LatLng[]): number[] {
  const count = new Map<string, number>()
  const key = ({ lat, lng }: LatLng) => `${lat},${lng}`
  for (const place of places) if (place) count.set(key(place), (count.get(key(place)) ?? 0) + 1)
  return places.flatMap((place, node) => (place && count.get(key(place)) === 1 ? node : []))
}

/** Generates the same nodes in every run. */
function randomNodes(nodes: number[]): () => number {
  let state = 20_261_121
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return nodes[Math.floor((state / 2 ** 32) * nodes.length)] as number
  }
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await run()))
