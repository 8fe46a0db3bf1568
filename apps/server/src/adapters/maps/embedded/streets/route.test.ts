import type { LatLng } from '@hansom/domain/geo/point'
import { describe, expect, it } from 'vitest'
import type { SourceFeature } from '../source/map-source.ts'
import { collectRoads } from '../source/qa-tiles.ts'
import { toLatLng, toWorld } from '../world.ts'
import { buildHierarchy } from './hierarchy.ts'
import { buildNetwork } from './network.ts'
import { Streets } from './route.ts'
import { buildSegmentIndex, segmentEdges } from './snap.ts'

const corner = toWorld({ lat: -34.9, lng: -56.17 })
/** A position in units of about 8 mm east and south of a corner. */
const spot = (east: number, south: number) => [
  Math.round(corner.x + east * 10_000),
  Math.round(corner.y + south * 10_000),
]
const at = (east: number, south: number): LatLng => toLatLng(...(spot(east, south) as [number, number]))

let ways = 0
function way(tags: Record<string, string>, ...spots: [number, number][]): SourceFeature {
  return {
    id: `w${++ways}`,
    shape: 'line',
    tags: { highway: 'residential', ...tags },
    rings: [spots.flatMap(([x, y]) => spot(x, y))],
  }
}

function streets(...features: SourceFeature[]): Streets {
  const network = buildNetwork(collectRoads(features))
  const edgeStreet = new Int32Array(network.edgeFrom.length).fill(-1)
  return new Streets(
    network,
    buildHierarchy(network),
    buildSegmentIndex(network),
    segmentEdges(network),
    edgeStreet,
  )
}

/** A block of 80 m a side whose northern street is one-way to the east. */
const block = () =>
  streets(
    way({ oneway: 'yes' }, [0, 0], [1, 0]),
    way({}, [1, 0], [1, 1]),
    way({}, [1, 1], [0, 1]),
    way({}, [0, 1], [0, 0]),
  )

describe('route', () => {
  it('one-way street, with its direction -> follows it', () => {
    const route = block().route([at(0.2, -0.01), at(0.8, -0.01)])
    expect(route?.distanceKm).toBeCloseTo(0.6 * block1Km(), 3)
    expect(route?.polyline).toHaveLength(2)
  })

  it('one-way street, against it on one edge -> around the block', () => {
    const route = block().route([at(0.8, 0), at(0.2, 0)])
    expect(route?.distanceKm).toBeCloseTo(3.4 * block1Km(), 3)
    expect(route?.polyline).toHaveLength(6)
  })

  it('two-way street -> turns around immediately', () => {
    expect(block().route([at(0.8, 1), at(0.2, 1)])?.distanceKm).toBeCloseTo(0.6 * block1Km(), 3)
  })

  it('start at an intersection -> leaves by any of its streets', () => {
    expect(block().route([at(0, 0), at(0, 0.5)])?.distanceKm).toBeCloseTo(0.5 * block1Km(), 3)
    expect(block().route([at(1, 0), at(0, 0)])?.distanceKm).toBeCloseTo(3 * block1Km(), 3)
  })

  it('street cut at a tile border -> continues across it', () => {
    const cut = streets(way({}, [0, 0], [1, 0]), way({}, [1, 0], [2, 0]), way({}, [2, 0], [3, 0]))
    expect(cut.route([at(0.5, 0), at(2.5, 0)])?.distanceKm).toBeCloseTo(2 * block1Km(), 3)
  })

  it('street that cannot be left -> never starts there', () => {
    const trap = streets(
      way({}, [0, 0], [1, 0]),
      way({}, [1, 0], [2, 0]),
      way({ oneway: 'yes' }, [2, 0], [2, 1]),
      way({}, [0, 0], [0, 1]),
    )
    expect(trap.route([at(2, 1), at(0, 1)])?.polyline[0]).toEqual(expectedNear(at(2, 0)))
  })

  it('point far outside -> null', () => {
    expect(block().route([at(0, 0), at(400, 0)])).toBeNull()
  })
})

function block1Km(): number {
  return (10_000 * 40_075.016686 * Math.cos((34.9 * Math.PI) / 180)) / 2 ** 32
}

function expectedNear({ lat, lng }: LatLng) {
  return { lat: expect.closeTo(lat, 5), lng: expect.closeTo(lng, 5) }
}
