import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { RoadSource, Tags, TurnRestriction } from '../source/map-source.ts'
import { toLatLng, toWorld } from '../world.ts'
import { buildNetwork, numberByRank } from './build-network.ts'
import { buildHierarchy } from './hierarchy.ts'
import { Streets } from './route.ts'
import { buildStreetIndex } from './snap.ts'

const corner = toWorld({ lat: -34.9, lng: -56.17 })
const side = 10_000

/** Spots are in steps of about 77 m east and south of a corner in Montevideo. */
export type Spot = readonly [east: number, south: number]

export const blockKm = (side * 40_075.016686 * Math.cos((34.9 * Math.PI) / 180)) / 2 ** 32

export const at = (east: number, south: number): LatLng =>
  toLatLng(Math.round(corner.x + east * side), Math.round(corner.y + south * side))

/** A small map for tests; ways are residential streets unless their tags say otherwise. */
export class TestMap {
  private readonly ways: { id: number; tags: Tags; nodes: number[] }[] = []
  private readonly nodes = new Map<string, number>()
  private readonly spots: Spot[] = []
  private readonly barriers = new Map<number, Tags>()
  private readonly restrictions: TurnRestriction[] = []

  private node(spot: Spot): number {
    const known = this.nodes.get(spot.join())
    if (known !== undefined) return known
    this.nodes.set(spot.join(), this.spots.length)
    return this.spots.push(spot) - 1
  }

  way(tags: Tags, ...spots: Spot[]): number {
    const id = this.ways.length + 1
    this.ways.push({
      id,
      tags: { highway: 'residential', ...tags },
      nodes: spots.map((spot) => this.node(spot)),
    })
    return id
  }

  barrier(spot: Spot, tags: Tags): void {
    this.barriers.set(this.node(spot), tags)
  }

  restrict(
    restriction: string | Tags,
    from: number[],
    via: { spot: Spot } | { ways: number[] },
    to: number[],
  ): void {
    this.restrictions.push({
      tags: { type: 'restriction', ...(typeof restriction === 'string' ? { restriction } : restriction) },
      from,
      to,
      viaNodes: 'spot' in via ? [this.node(via.spot)] : [],
      viaWays: 'ways' in via ? via.ways : [],
    })
  }

  /** The index of the node at a position. */
  indexAt(place: LatLng): number {
    return this.spots.findIndex((spot) => greatCircleKm(at(...spot), place) < 0.001)
  }

  roads(): RoadSource {
    return {
      ways: () => this.ways,
      x: Uint32Array.from(this.spots, ([east]) => Math.round(corner.x + east * side)),
      y: Uint32Array.from(this.spots, ([, south]) => Math.round(corner.y + south * side)),
      barriers: this.barriers,
      restrictions: this.restrictions,
    }
  }

  streets(): Streets {
    const network = buildNetwork(this.roads())
    const { hierarchy, rankOf } = buildHierarchy(network.graph)
    return new Streets({
      ...numberByRank(network, rankOf),
      hierarchy,
      index: buildStreetIndex(network),
      edgeStreet: new Int32Array(network.edgeFrom.length).fill(-1),
    })
  }
}
