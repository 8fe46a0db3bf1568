import type { LatLng } from '@hansom/domain/geo/point'
import type { DriveTime, GpsPoint, MatchedTrack, Route } from '../../port.ts'
import { toLatLng } from '../world.ts'
import { alternatives } from './alternatives.ts'
import { type Cost, costOf, dmOf, msOf } from './cost.ts'
import { appendPoint, drawEdge, drawSteps } from './draw.ts'
import { type Gate, Gates, partCost } from './gates.ts'
import type { Hierarchy } from './hierarchy.ts'
import { matchTrack } from './match.ts'
import { Matrix } from './matrix.ts'
import { type Network, stepMs, type TurnTables } from './network.ts'
import { type Path, PathFinder } from './shortest-path.ts'
import { nearest, type Snap, type StreetIndex, snap } from './snap.ts'

/** One leg of a route: private and public steps between a position on the first and one on the last edge. */
interface Leg {
  cost: Cost
  leave: number
  steps: number[]
  enter: number
}

/** The files of a prepared region that routing needs. */
export interface StreetFiles {
  network: Network
  turns: TurnTables
  hierarchy: Hierarchy
  index: StreetIndex
  /** The street among the search entries that each edge belongs to, or -1. */
  edgeStreet: Int32Array
}

/** Routing over the streets of a region. */
export class Streets {
  readonly network: Network
  readonly finder: PathFinder
  private readonly matrix: Matrix
  readonly gates: Gates

  constructor(private readonly files: StreetFiles) {
    this.network = files.network
    this.finder = new PathFinder(files.hierarchy)
    this.matrix = new Matrix(files.hierarchy)
    this.gates = new Gates(files.network, files.turns, files.hierarchy.upStart.length - 1)
  }

  /** Null if no street is within reach. */
  snap(point: LatLng): Snap | null {
    return snap(this.network, this.files.index, point)
  }

  /**
   * The nearest named street within `within` meters: its index among the entries and the nearest point on it; null if
   * none is near.
   */
  namedStreet(point: LatLng, within: number): { street: number; at: LatLng } | null {
    const { edgeStreet, index } = this.files
    const keep = (edge: number) => edgeStreet[edge] !== -1
    const found = nearest(this.network, index, point, { within, keep })
    return found && { street: edgeStreet[found.edge] as number, at: toLatLng(found.x, found.y) }
  }

  /** The fastest route through the points in order, or null: see the port. */
  route(points: LatLng[]): Route | null {
    const snaps = points.map((point) => this.snap(point))
    if (snaps.length < 2) return null
    let cost = 0
    const polyline: LatLng[] = []
    for (let leg = 1; leg < snaps.length; leg++) {
      const from = snaps[leg - 1]
      const to = snaps[leg]
      const part = from && to ? this.leg(from, to) : null
      if (!from || !to || !part) return null
      cost += part.cost
      this.drawLeg(polyline, from, part, to)
    }
    return { ...driveTimeOf(cost), polyline }
  }

  /** The times of all routes from each of `froms` to each of `tos`: see the port. */
  driveTimeTable(froms: readonly (LatLng | null)[], tos: readonly (LatLng | null)[]): (DriveTime | null)[][] {
    const starts = froms.map((point) => point && this.snap(point))
    const ends = tos.map((point) => point && this.snap(point))
    const costs = this.matrix.table(
      starts.map((start) => (start ? this.gates.exits(start) : [])),
      ends.map((end) => (end ? this.gates.entries(end) : [])),
    )
    return costs.map((row, from) =>
      row.map((cost, to) => this.least(cost, starts[from] ?? null, ends[to] ?? null)),
    )
  }

  /** The times of some routes, given as indexes of a start and an end: see the port. */
  driveTimePairs(
    froms: readonly (LatLng | null)[],
    tos: readonly (LatLng | null)[],
    pairs: readonly (readonly [from: number, to: number])[],
  ): (DriveTime | null)[] {
    const starts = froms.map((point) => point && this.snap(point))
    const ends = tos.map((point) => point && this.snap(point))
    const costs = this.matrix.pairs(
      starts.map((start) => (start ? this.gates.exits(start) : [])),
      ends.map((end) => (end ? this.gates.entries(end) : [])),
      pairs,
    )
    return pairs.map(([from, to], index) =>
      this.least(costs[index] as Cost, starts[from] ?? null, ends[to] ?? null),
    )
  }

  /** The streets that a car drove: see the port. */
  match(points: readonly GpsPoint[]): Promise<MatchedTrack> {
    const { network, gates, finder, files } = this
    return matchTrack({ network, gates, finder, index: files.index, hierarchy: files.hierarchy }, points)
  }

  /** The fastest route and up to two others: see the port. */
  alternatives(from: LatLng, to: LatLng): Route[] {
    const [start, end] = [this.snap(from), this.snap(to)]
    const best = start && end ? this.leg(start, end) : null
    if (!start || !end || !best) return []
    const exits = this.gates.exits(start)
    const entries = this.gates.entries(end)
    const others = alternatives(this, exits, entries).map((path) => legOf(path, exits, entries))
    return [best, ...others].map((leg) => {
      const polyline: LatLng[] = []
      this.drawLeg(polyline, start, leg, end)
      return { ...driveTimeOf(leg.cost), polyline }
    })
  }

  /** By the network or along one street, whichever is sooner. */
  private least(cost: Cost, start: Snap | null, end: Snap | null): DriveTime | null {
    const direct = start && end ? this.direct(start, end) : null
    const least = Math.min(cost, direct?.cost ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(least) ? driveTimeOf(least) : null
  }

  private leg(from: Snap, to: Snap): Leg | null {
    const direct = this.direct(from, to)
    const exits = this.gates.exits(from)
    const entries = this.gates.entries(to)
    const path = this.finder.path(exits, entries, direct?.cost)
    return path ? legOf(path, exits, entries) : direct
  }

  /** Along one edge or private streets alone; null if that is not possible. */
  private direct(from: Snap, to: Snap): Leg | null {
    const inside = this.gates.inside(from, to)
    const along = this.alongOneEdge(from, to)
    if (along === null || (inside && inside.cost < along)) return inside
    return { cost: along, leave: to.along, steps: [], enter: to.along }
  }

  /** The cost between two points without leaving the edge; null if the edges differ or the direction is closed. */
  private alongOneEdge(from: Snap, to: Snap): Cost | null {
    if (from.edge !== to.edge) return null
    if (from.along === to.along) return costOf(0, 0)
    const ms = stepMs(this.network, from.edge * 2 + (to.along >= from.along ? 0 : 1))
    return ms === 0 ? null : partCost(ms, from, to.along)
  }

  private drawLeg(line: LatLng[], from: Snap, { leave, steps, enter }: Leg, to: Snap): void {
    appendPoint(line, toLatLng(from.x, from.y))
    drawEdge(this.network, line, from.edge, from.along, leave)
    drawSteps(this.network, line, steps)
    if (from.edge !== to.edge || leave !== to.along) drawEdge(this.network, line, to.edge, enter, to.along)
    appendPoint(line, toLatLng(to.x, to.y))
  }
}

function legOf(path: Path, exits: readonly Gate[], entries: readonly Gate[]): Leg {
  const exit = exits[path.source] as Gate
  const entry = entries[path.target] as Gate
  return {
    cost: path.cost,
    leave: exit.metres,
    steps: [...exit.steps, ...path.steps, ...entry.steps],
    enter: entry.metres,
  }
}

const driveTimeOf = (cost: Cost): DriveTime => {
  return { distanceKm: dmOf(cost) / 10_000, durationS: msOf(cost) / 1000 }
}
