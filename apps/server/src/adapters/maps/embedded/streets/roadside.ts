import type { RoadsNearby } from '../search/stopping-points.ts'
import { toLatLng } from '../world.ts'
import type { NamedNetwork } from './network.ts'
import { buildSegmentIndex, reachMetres, segmentEdges, snap } from './snap.ts'

/** Streets open to cars, queried while the map is prepared. Positions are in world units. */
export class Roadside implements RoadsNearby {
  private readonly index
  private readonly edgeOf

  constructor(private readonly network: NamedNetwork) {
    this.index = buildSegmentIndex(network)
    this.edgeOf = segmentEdges(network)
  }

  stopNear(x: number, y: number, within = reachMetres): ReturnType<RoadsNearby['stopNear']> {
    return snap(this.network, this.index, this.edgeOf, toLatLng(x, y), { within })
  }

  /** The name of the nearest street that has one, or null. */
  nameNear(x: number, y: number, within: number): string | null {
    const keep = (edge: number) => this.network.edgeName[edge] !== ''
    const found = snap(this.network, this.index, this.edgeOf, toLatLng(x, y), { within, keep })
    return found && (this.network.edgeName[found.edge] as string)
  }
}
