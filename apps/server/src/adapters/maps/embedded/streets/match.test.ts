import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GpsPoint, Route } from '../../port.ts'
import { readQaTiles } from '../source/qa-tiles.ts'
import { toLatLng } from '../world.ts'
import { mostStretch } from './alternatives.ts'
import { buildNetwork, numberByRank } from './build-network.ts'
import { buildHierarchy } from './hierarchy.ts'
import { Streets } from './route.ts'
import { buildStreetIndex } from './snap.ts'
import { driftingTrack, drivenTrack, randomFrom } from './test-drives.ts'
import { blockKm, type Spot, at as spotAt, TestMap } from './test-streets.ts'

describe('match and alternatives: random routes in Montevideo', () => {
  let streets: Streets
  let routes: Route[]
  beforeAll(() => {
    const network = buildNetwork(readQaTiles().roads)
    const { hierarchy, rankOf } = buildHierarchy(network.graph)
    streets = new Streets({
      ...numberByRank(network, rankOf),
      hierarchy,
      index: buildStreetIndex(network),
      edgeStreet: new Int32Array(network.edgeFrom.length),
    })
    const random = randomFrom(11)
    const place = () => {
      const vertex = Math.floor(random() * network.vertexX.length)
      return toLatLng(network.vertexX[vertex] as number, network.vertexY[vertex] as number)
    }
    routes = Array.from({ length: 40 }, () => streets.route([place(), place()])).flatMap((route) =>
      route && route.distanceKm > 3 && route.distanceKm < 12 ? [route] : [],
    )
  })

  it.each([
    ['independent', 5, 0.01, 'nine in ten', 0.9, drivenTrack],
    ['independent', 15, 0.02, 'nine in ten', 0.9, drivenTrack],
    ['independent', 40, 0.05, 'nine in ten', 0.9, drivenTrack],
    ['drifting', 5, 0.01, 'half', 0.5, driftingTrack],
    ['drifting', 15, 0.02, 'half', 0.5, driftingTrack],
    ['drifting', 40, 0.05, 'half', 0.5, driftingTrack],
  ])('%s noise of %s m -> error below %s for %s', async (_, sigma, most, __, share, trackOf) => {
    const random = randomFrom(sigma)
    const errors: number[] = []
    for (const route of routes) {
      const { distanceKm, matchedShare } = await streets.match(trackOf(route, sigma, random))
      expect(matchedShare).toBeGreaterThan(0.9)
      errors.push(Math.abs(distanceKm / route.distanceKm - 1))
    }
    const sorted = errors.toSorted((a, b) => a - b)
    expect(errors.length).toBeGreaterThan(10)
    expect(sorted[Math.floor(errors.length * share)]).toBeLessThan(most)
  })

  it('line -> follows the streets from start to end, as long as the distance', async () => {
    const route = routes[0] as Route
    const { line, distanceKm } = await streets.match(drivenTrack(route, 5, randomFrom(3)))
    expect(lengthKm(line)).toBeCloseTo(distanceKm, 1)
    for (const end of [0, -1] as const)
      expect(greatCircleKm(line.at(end) as LatLng, route.polyline.at(end) as LatLng)).toBeLessThan(0.05)
  })

  it('alternatives -> the fastest first, then others within the stretch that differ enough', () => {
    let others = 0
    for (const { polyline } of routes) {
      const [start, end] = [polyline[0] as LatLng, polyline.at(-1) as LatLng]
      const [best, ...more] = streets.alternatives(start, end)
      expect(best).toEqual(streets.route([start, end]))
      for (const other of more) {
        expect(other.durationS).toBeLessThanOrEqual((best?.durationS as number) * mostStretch)
        expect(other.durationS).toBeGreaterThanOrEqual(best?.durationS as number)
        expect(lengthKm(other.polyline)).toBeCloseTo(other.distanceKm, 1)
        const known = new Set(best?.polyline.map(({ lat, lng }) => `${lat},${lng}`))
        const shared = other.polyline.map((point, index) =>
          [other.polyline[index - 1], point].every((end) => end && known.has(`${end.lat},${end.lng}`))
            ? lengthKm([other.polyline[index - 1] as LatLng, point])
            : 0,
        )
        expect(shared.reduce((sum, km) => sum + km)).toBeLessThan(0.9 * (best?.distanceKm as number))
        others++
      }
    }
    expect(others).toBeGreaterThan(routes.length / 2)
  })

  it('points in any order, with some far less accurate -> the same distance', async () => {
    const route = routes[1] as Route
    const track = drivenTrack(route, 5, randomFrom(3))
    const wild = track.map(({ lat, lng, at }) => ({ lat: lat + 0.02, lng, at: at + 500, accuracy: 800 }))
    const { distanceKm } = await streets.match([...wild, ...track].reverse())
    expect(distanceKm).toBe((await streets.match(track)).distanceKm)
  })

  it('jump of a kilometer within a second -> ignored', async () => {
    const track = drivenTrack(routes[2] as Route, 5, randomFrom(3))
    const jumps = track.flatMap((point, at) =>
      at % 10 === 5 ? [point, { ...point, lat: point.lat + 0.01, at: point.at + 1 }] : [point],
    )
    expect((await streets.match(jumps)).distanceKm).toBe((await streets.match(track)).distanceKm)
  })

  it('stretch far from any street -> unmatched, the rest matched', async () => {
    const route = routes[3] as Route
    const track = drivenTrack(route, 5, randomFrom(3))
    const last = track.at(-1) as GpsPoint
    const sea = Array.from({ length: 20 }, (_, at) => ({
      lat: -35.2 - at * 0.0005,
      lng: -56.2,
      at: last.at + 3_600_000 + at * 4_000,
      accuracy: 5,
    }))
    const { distanceKm, unmatchedKm, matchedShare } = await streets.match([...track, ...sea])
    expect(Math.abs(distanceKm / route.distanceKm - 1)).toBeLessThan(0.02)
    expect(unmatchedKm).toBeCloseTo(greatCircleKm(last, sea.at(-1) as LatLng), 0)
    expect(matchedShare).toBeLessThan(1)
    const leading = sea.map((point) => ({ ...point, at: point.at - 8_000_000 }))
    const both = await streets.match([...leading, ...track, ...sea])
    const before = lengthKm(leading) + greatCircleKm(leading.at(-1) as LatLng, track[0] as LatLng)
    expect(both.unmatchedKm).toBeCloseTo(before + unmatchedKm, 0)
    expect(both.distanceKm).toBeCloseTo(distanceKm, 0)
  })

  it('same track in several matches at once, one of them endless -> the same result each', async () => {
    const track = drivenTrack(routes[0] as Route, 15, randomFrom(3))
    const other = drivenTrack(routes[1] as Route, 15, randomFrom(3))
    const alone = await streets.match(track)
    const endless = Array.from({ length: 20_000 }, (_, at) => ({
      ...(other[at % other.length] as GpsPoint),
      at: at * 1_000,
    }))
    let turns = 0
    const counted = setInterval(() => turns++, 0)
    const all = await Promise.all([track, endless, track].map((points) => streets.match(points)))
    clearInterval(counted)
    expect([all[0], all[2]]).toEqual([alone, alone])
    expect(turns).toBeGreaterThan(2)
  })

  it('no points, one point, a standing car -> no distance', async () => {
    const [start] = (routes[0] as Route).polyline as [LatLng]
    const standing = Array.from({ length: 50 }, (_, at) => ({ ...start, at: at * 3_000, accuracy: 10 }))
    for (const points of [[], standing.slice(0, 1), standing])
      expect(await streets.match(points)).toMatchObject({ distanceKm: 0, unmatchedKm: 0 })
  })
})

it('match: hairpin bends, both sides of one street near each position -> the whole way up', async () => {
  const map = new TestMap()
  // One street with four legs of 300 m, 23 m apart.
  map.way(
    {},
    ...[0, 1, 2, 3].flatMap((leg): Spot[] => {
      const [from, to]: [Spot, Spot] = [
        [0, leg * 0.3],
        [4, leg * 0.3],
      ]
      return leg % 2 ? [to, from] : [from, to]
    }),
  )
  const streets = map.streets()
  const route = streets.route([spotAt(0, 0), spotAt(0, 0.9)]) as Route
  for (const seed of [1, 2, 3, 4, 5]) {
    const { distanceKm } = await streets.match(drivenTrack(route, 15, randomFrom(seed)))
    expect(Math.abs(distanceKm / route.distanceKm - 1)).toBeLessThan(0.06)
  }
})

it('match: positions of a standing car drift back and forth -> no distance, no gap', async () => {
  const map = new TestMap()
  map.way({}, [0, 0], [20, 0])
  const streets = map.streets()
  // A position every 5 s, 39 m further; in the middle it drifts by 54 m.
  const drive = Array.from({ length: 41 }, (_, step) => step / 2)
  const drift = [0, -0.35, -0.7, -0.7, -0.35, 0, 0, -0.35, -0.7, -0.35].map((step) => 10 + step)
  const track = [...drive.slice(0, 21), ...drift, ...drive.slice(20)].map((east, step) => ({
    ...spotAt(east, 0),
    at: step * 5_000,
    accuracy: 20,
  }))
  const { distanceKm, unmatchedKm } = await streets.match(track)
  expect(unmatchedKm).toBe(0)
  expect(distanceKm / (20 * blockKm)).toBeCloseTo(1, 1)
})

it('match: no positions while the car drove a long way around a river -> a break between the two banks', async () => {
  const map = new TestMap()
  // Two banks, half a kilometre apart, with a bridge 3 km to the east.
  map.way({}, [0, 0], [10, 0], [40, 0], [40, 5], [10, 5], [0, 5])
  const streets = map.streets()
  const along = (north: number, second: number) =>
    Array.from({ length: 11 }, (_, step) => ({
      ...spotAt(north === 0 ? step : 10 - step, north),
      at: (second + step * 8) * 1000,
      accuracy: 5,
    }))
  const [out, back] = [along(0, 0), along(5, 700)]
  const { breaks, unmatchedKm } = await streets.match([...out, ...back])
  expect(breaks.map(({ from, to }) => [from.at, to.at])).toEqual([[out.at(-1)?.at, back[0]?.at]])
  expect(unmatchedKm / (5 * blockKm)).toBeCloseTo(1, 1)
})

it('match: some positions far less accurate than others -> they weigh less', async () => {
  const map = new TestMap()
  map.way({}, [0, 0], [20, 0])
  map.way({}, [0, 0], [0, 1], [20, 1], [20, 0])
  const streets = map.streets()
  const positions = (accuracy: number) =>
    Array.from({ length: 50 }, (_, index) => ({
      ...spotAt(index * 0.4, index % 2 ? 1 : 0),
      at: index * 3_000,
      accuracy: index % 2 ? accuracy : 5,
    }))
  const [{ line: alike }, { line }] = [await streets.match(positions(5)), await streets.match(positions(120))]
  const farthest = (points: LatLng[]) => Math.max(...points.map((point) => spotAt(0, 0).lat - point.lat))
  expect(farthest(line)).toBeLessThan(1e-4)
  expect(farthest(alike)).toBeGreaterThan(1e-4)
})

function lengthKm(line: readonly LatLng[]): number {
  return line.slice(1).reduce((sum, point, at) => sum + greatCircleKm(line[at] as LatLng, point), 0)
}
