import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../port.ts'
import type { Tags } from '../source/map-source.ts'
import { toLatLng } from '../world.ts'
import type { Network } from './network.ts'
import { plainDijkstra } from './plain-dijkstra.ts'
import { forbiddenPaths } from './restrictions.ts'
import type { Streets } from './route.ts'
import { type StreetEdges, splitWays } from './split-ways.ts'
import { at, blockKm, type Spot, TestMap } from './test-streets.ts'

/** A block of 77 m a side whose northern street is one-way to the east. */
function block(): TestMap {
  const map = new TestMap()
  map.way({ oneway: 'yes' }, [0, 0], [1, 0])
  map.way({}, [1, 0], [1, 1], [0, 1], [0, 0])
  return map
}

describe('route', () => {
  it('one-way street, with its direction -> follows it', () => {
    const route = block()
      .streets()
      .route([at(0.2, -0.01), at(0.8, -0.01)])
    expect(route?.distanceKm).toBeCloseTo(0.6 * blockKm, 3)
    expect(route?.polyline).toHaveLength(2)
  })

  it('one-way street, against it on one edge -> around the block', () => {
    const route = block()
      .streets()
      .route([at(0.8, 0), at(0.2, 0)])
    expect(route?.distanceKm).toBeCloseTo(3.4 * blockKm, 3)
    expect(route?.polyline).toHaveLength(6)
  })

  it('two-way street -> turns around immediately', () => {
    const route = block()
      .streets()
      .route([at(0.8, 1), at(0.2, 1)])
    expect(route?.distanceKm).toBeCloseTo(0.6 * blockKm, 3)
  })

  it('start at an intersection -> leaves by any of its streets', () => {
    const streets = block().streets()
    expect(streets.route([at(0, 0), at(0, 0.5)])?.distanceKm).toBeCloseTo(0.5 * blockKm, 3)
    expect(streets.route([at(1, 0), at(0, 0)])?.distanceKm).toBeCloseTo(3 * blockKm, 3)
  })

  it('street that cannot be left -> never starts there', () => {
    const map = block()
    map.way({ oneway: 'yes' }, [1, 1], [2, 1])
    const start = map.streets().route([at(2, 1), at(0, 1)])?.polyline[0]
    expect(greatCircleKm(start ?? at(9, 9), at(1, 1))).toBeLessThan(0.001)
  })

  it('bollard -> cuts its street', () => {
    const map = block()
    map.way({}, [0, 1], [0, 1.5], [0, 2], [1, 2], [1, 1])
    expect(map.streets().route([at(0, 1), at(0, 1.9)])?.distanceKm).toBeCloseTo(0.9 * blockKm, 3)
    map.barrier([0, 1.5], { barrier: 'bollard' })
    expect(map.streets().route([at(0, 1), at(0, 1.9)])?.distanceKm).toBeCloseTo(3.1 * blockKm, 3)
  })

  it('bollard where ways cross -> ignored', () => {
    const map = block()
    map.barrier([1, 1], { barrier: 'bollard' })
    map.way({ highway: 'footway' }, [1, 1], [2, 2])
    map.way({}, [1, 1], [2, 1])
    expect(map.streets().route([at(1, 0.5), at(0.5, 1)])?.distanceKm).toBeCloseTo(blockKm, 3)
  })

  it('unconnected parts of 200 streets -> both served, no route between them', () => {
    const map = new TestMap()
    for (const west of [0, 100]) {
      for (let line = 0; line < 11; line++) {
        map.way({}, ...Array.from({ length: 11 }, (_, step): Spot => [west + step, line]))
        map.way({}, ...Array.from({ length: 11 }, (_, step): Spot => [west + line, step]))
      }
    }
    map.way({}, [50, 0], [51, 0])
    const streets = map.streets()
    expect(streets.route([at(101, 1), at(105, 5)])?.distanceKm).toBeCloseTo(8 * blockKm, 2)
    expect(streets.route([at(1, 1), at(105, 5)])).toBeNull()
    const small = streets.route([at(50, 0), at(0, 0)])
    expect(small).toBeNull()
  })

  it('point far outside -> null', () => {
    expect(
      block()
        .streets()
        .route([at(0, 0), at(400, 0)]),
    ).toBeNull()
  })
})

describe('route: turn restrictions', () => {
  /** A street eastward from (0,0) over (1,0) to (2,0), one southward from there, and a way around. */
  function crossing() {
    const map = new TestMap()
    const from = map.way({}, [0, 0], [1, 0])
    const ahead = map.way({}, [1, 0], [2, 0])
    const south = map.way({}, [1, 0], [1, 1])
    const around = map.way({}, [2, 0], [2, 1], [1, 1])
    map.way({}, [0, 0], [-1, 0])
    map.way({}, [1, 1], [1, 2])
    const km = () => (map.streets().route([at(-0.5, 0), at(1, 1.5)])?.distanceKm ?? Number.NaN) / blockKm
    return { map, from, ahead, south, around, km }
  }

  it('no restriction -> turns', () => {
    expect(crossing().km()).toBeCloseTo(3, 2)
  })

  it('no_right_turn -> around the block, not turning back behind the junction', () => {
    const { map, from, south, km } = crossing()
    map.restrict('no_right_turn', [from], { spot: [1, 0] }, [south])
    expect(km()).toBeCloseTo(5, 2)
  })

  it('only_straight_on -> around the block', () => {
    const { map, from, ahead, km } = crossing()
    map.restrict('only_straight_on', [from], { spot: [1, 0] }, [ahead])
    expect(km()).toBeCloseTo(5, 2)
  })

  it('no_left_turn over a way -> avoids the sequence, not its parts', () => {
    const map = new TestMap()
    const from = map.way({}, [0, 0], [1, 0])
    const between = map.way({}, [1, 0], [1, 1])
    const to = map.way({}, [1, 1], [0, 1])
    map.way({}, [1, 1], [2, 1], [2, 0], [1, 0])
    map.restrict('no_u_turn', [from], { ways: [between] }, [to])
    const streets = map.streets()
    expect(streets.route([at(0.5, 0), at(0.5, 1)])?.distanceKm).toBeCloseTo(4 * blockKm, 2)
    expect(streets.route([at(1.5, 0), at(0.5, 1)])?.distanceKm).toBeCloseTo(2 * blockKm, 2)
    expect(streets.route([at(0.5, 0), at(1.5, 1)])?.distanceKm).toBeCloseTo(2 * blockKm, 2)
  })

  it('only over a way -> no other turn on it', () => {
    const map = new TestMap()
    const from = map.way({}, [0, 0], [1, 0])
    const between = map.way({}, [1, 0], [1, 1])
    const to = map.way({}, [1, 1], [1, 2])
    map.way({}, [1, 1], [0, 1], [0, 2], [1, 2])
    map.way({}, [1, 0], [2, 0], [2, 2], [1, 2])
    map.restrict('only_straight_on', [from], { ways: [between] }, [to])
    expect(map.streets().route([at(0.5, 0), at(0.5, 1)])?.distanceKm).toBeCloseTo(5 * blockKm, 2)
  })

  it('over ways that meet again and again -> ignored, without trying every order', () => {
    const map = new TestMap()
    const spots = Array.from({ length: 13 }, (_, step): Spot => [1 + (step % 2), 0])
    const from = map.way({}, [0, 0], [1, 0])
    const between = map.way({}, ...spots)
    const to = map.way({}, [2, 0], [3, 0])
    map.restrict('no_u_turn', [from], { ways: [between] }, [to])
    const roads = map.roads()
    expect(forbiddenPaths(roads.restrictions, splitWays(roads))).toEqual([])
  })

  it.each([
    ['for cars alone -> obeyed', { 'restriction:motorcar': 'no_right_turn' }, 5],
    ['for lorries alone -> ignored', { 'restriction:hgv': 'no_right_turn' }, 3],
    ['except cars -> ignored', { restriction: 'no_right_turn', except: 'bicycle; motorcar' }, 3],
    ['except bicycles -> obeyed', { restriction: 'no_right_turn', except: 'bicycle' }, 5],
    ['by time -> ignored', { 'restriction:conditional': 'no_right_turn @ (Mo-Fr 07:00-09:00)' }, 3],
    ['unknown value -> ignored', { restriction: 'no_way' }, 3],
  ])('restriction %s', (_, tags, blocks) => {
    const { map, from, south, km } = crossing()
    map.restrict(tags as Tags, [from], { spot: [1, 0] }, [south])
    expect(km()).toBeCloseTo(blocks, 2)
  })

  it('member missing from the extract -> ignored', () => {
    const { map, from, km } = crossing()
    map.restrict('no_right_turn', [from], { spot: [1, 0] }, [99])
    map.restrict('only_straight_on', [99], { spot: [1, 0] }, [from])
    map.restrict('no_right_turn', [from], { spot: [77, 0] }, [from])
    expect(km()).toBeCloseTo(3, 2)
  })

  it('only a dead end is permitted -> turns around there', () => {
    const map = new TestMap()
    const from = map.way({}, [0, 0], [1, 0])
    const end = map.way({}, [1, 0], [2, 0])
    map.way({}, [1, 0], [1, 1])
    map.way({}, [0, 0], [-1, 0])
    map.restrict('only_straight_on', [from], { spot: [1, 0] }, [end])
    expect(map.streets().route([at(0.5, 0), at(1, 0.5)])?.distanceKm).toBeCloseTo(3 * blockKm, 2)
  })
})

describe('route: private streets', () => {
  it('shortcut over a private street -> not taken', () => {
    const map = block()
    map.way({ access: 'private' }, [0.5, 0], [0.5, 1])
    expect(map.streets().route([at(0.4, 0), at(0.4, 1)])?.distanceKm).toBeCloseTo(2.2 * blockKm, 2)
  })

  it('trip from or to a private street, or within one -> allowed', () => {
    const map = block()
    map.way({ access: 'private' }, [1, 1], [3, 1], [3, 3])
    map.way({ access: 'private' }, [3, 1], [5, 1])
    const streets = map.streets()
    expect(streets.route([at(3, 2.5), at(1, 0.5)])?.distanceKm).toBeCloseTo(4 * blockKm, 2)
    expect(streets.route([at(1, 0.5), at(3, 2.5)])?.distanceKm).toBeCloseTo(4 * blockKm, 2)
    const within = streets.route([at(3, 2.5), at(4.5, 1)])
    expect(within?.distanceKm).toBeCloseTo(3 * blockKm, 2)
    expect(within?.polyline).toHaveLength(3)
  })

  it('private street hardly nearer than a public one -> the public one', () => {
    const map = block()
    map.way({ access: 'private' }, [0.5, 0], [0.5, 0.5])
    const start = map.streets().route([at(0.5, 0.3), at(1, 1)])?.polyline[0]
    expect(greatCircleKm(start ?? at(9, 9), at(0.5, 0))).toBeLessThan(0.001)
  })
})

describe('route: any map', () => {
  const size = 4
  const lines = 2 * size * (size - 1)
  const grid = (tags: readonly Tags[]) =>
    fc.array(fc.constantFrom(...tags), { minLength: lines, maxLength: lines })

  it('grid with one-ways and restrictions -> same duration as Dijkstra', () => {
    const kind = fc.constantFrom('no_left_turn', 'no_straight_on', 'only_straight_on', 'only_left_turn')
    const restrictions = fc.array(fc.tuple(kind, fc.nat(), fc.nat(), fc.nat()), { maxLength: 10 })
    fc.assert(
      fc.property(grid([{}, {}, {}, { oneway: 'yes' }, { oneway: '-1' }]), restrictions, (tags, turns) => {
        const { map, ways } = gridMap(size, tags)
        for (const [value, ...picks] of turns) restrictAlong(map, ways, value, picks)
        const roads = map.roads()
        const all = splitWays(roads)
        const streets = map.streets()
        const reference = plainDijkstra(
          withDirectionsOf(streets, all),
          forbiddenPaths(roads.restrictions, all),
        )
        const nodes = nodePlaces(streets).flatMap((place) => ({
          place,
          node: all.nodeAt(map.indexAt(place)) as number,
        }))
        for (const from of nodes) {
          for (const to of nodes) {
            expect(msOf(streets.route([from.place, to.place]))).toBe(reference(from.node, to.node))
          }
        }
      }),
      { numRuns: 25 },
    )
  })

  it('grid with one-ways and private streets -> same duration as Dijkstra', () => {
    fc.assert(
      fc.property(grid([{}, {}, { oneway: 'yes' }, { access: 'private' }, { access: 'private' }]), (tags) => {
        const { map } = gridMap(size, tags)
        const streets = map.streets()
        const reference = plainDijkstra(streets.network)
        const places = nodePlaces(streets)
        places.forEach((start, from) => {
          places.forEach((end, to) => {
            expect(msOf(streets.route([start, end]))).toBe(reference(from, to))
          })
        })
      }),
      { numRuns: 25 },
    )
  })
})

/** Without the directions that the network dropped because no turn into them is permitted. */
function withDirectionsOf({ network }: Streets, all: StreetEdges): StreetEdges {
  const ends = ({ vertexStart, vertexX, vertexY }: Network, edge: number) => {
    const [first, last] = [vertexStart[edge] as number, (vertexStart[edge + 1] as number) - 1]
    return [vertexX[first], vertexY[first], vertexX[last], vertexY[last]].join()
  }
  const kept = new Map(Array.from(network.edgeFrom, (_, edge) => [ends(network, edge), edge]))
  const column = (own: Uint32Array, other: Uint32Array) =>
    own.map((ms, edge) => (other[kept.get(ends(all, edge)) ?? -1] ? ms : 0))
  return {
    ...all,
    forwardMs: column(all.forwardMs, network.forwardMs),
    backwardMs: column(all.backwardMs, network.backwardMs),
  }
}

const msOf = (route: Route | null) => (route ? Math.round(route.durationS * 1000) : Number.POSITIVE_INFINITY)

type Way = { id: number; ends: [Spot, Spot] }

function gridMap(size: number, tags: readonly Tags[]): { map: TestMap; ways: Way[] } {
  const map = new TestMap()
  const ways: Way[] = []
  const add = (from: Spot, to: Spot) => {
    ways.push({ id: map.way(tags[ways.length] as Tags, from, to), ends: [from, to] })
  }
  for (let east = 0; east < size; east++) {
    for (let south = 0; south < size; south++) {
      // Uneven sides, so that few routes cost the same.
      const spot = (e: number, s: number): Spot => [e * (1 + e / 7), s * (1 + s / 11)]
      if (east + 1 < size) add(spot(east, south), spot(east + 1, south))
      if (south + 1 < size) add(spot(east, south), spot(east, south + 1))
    }
  }
  return { map, ways }
}

/** Restricts a turn at the end of one way, or over the next way if the last pick is even. */
function restrictAlong(map: TestMap, ways: readonly Way[], value: string, picks: readonly number[]): void {
  const from = ways[(picks[0] as number) % ways.length] as Way
  const via = from.ends[1]
  const next = (spot: Spot, not: number[], pick: number) => {
    const near = ways.filter(
      ({ id, ends }) => !not.includes(id) && ends.some((end) => end.join() === spot.join()),
    )
    return near[pick % near.length]
  }
  const to = next(via, [from.id], picks[1] as number)
  if (!to) return
  if ((picks[2] as number) % 2 === 1) return map.restrict(value, [from.id], { spot: via }, [to.id])
  const far = to.ends.find((end) => end.join() !== via.join()) as Spot
  const last = next(far, [from.id, to.id], picks[2] as number)
  if (last) map.restrict(value, [from.id], { ways: [to.id] }, [last.id])
}

/** The position of every node that the network kept, by its number. */
function nodePlaces({ network }: Streets): LatLng[] {
  const places: LatLng[] = []
  network.edgeFrom.forEach((from, edge) => {
    const [first, next] = [network.vertexStart[edge] as number, network.vertexStart[edge + 1] as number]
    const place = (vertex: number) =>
      toLatLng(network.vertexX[vertex] as number, network.vertexY[vertex] as number)
    places[from] = place(first)
    places[network.edgeTo[edge] as number] = place(next - 1)
  })
  return places
}
