import type { LatLng } from '@hansom/domain/geo/point'
import type { DriveTime, Route } from '../../port.ts'
import { metresBetween, toLatLng } from '../world.ts'
import { type Cost, costOf, dmOf, msOf } from './cost.ts'
import { type Gate, Gates, partCost } from './gates.ts'
import type { Hierarchy } from './hierarchy.ts'
import { type Network, stepMs, type TurnTables } from './network.ts'
import { PathFinder } from './shortest-path.ts'
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
  private readonly finder: PathFinder
  private readonly gates: Gates

  constructor(private readonly files: StreetFiles) {
    this.network = files.network
    this.finder = new PathFinder(files.hierarchy)
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

  driveTime(from: Snap, to: Snap): DriveTime | null {
    const direct = this.direct(from, to)
    const cost = this.finder.cost(this.gates.exits(from), this.gates.entries(to), direct?.cost)
    const least = Math.min(cost, direct?.cost ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(least) ? driveTimeOf(least) : null
  }

  private leg(from: Snap, to: Snap): Leg | null {
    const direct = this.direct(from, to)
    const exits = this.gates.exits(from)
    const entries = this.gates.entries(to)
    const path = this.finder.path(exits, entries, direct?.cost)
    if (!path) return direct
    const exit = exits[path.source] as Gate
    const entry = entries[path.target] as Gate
    return {
      cost: path.cost,
      leave: exit.metres,
      steps: [...exit.steps, ...path.steps, ...entry.steps],
      enter: entry.metres,
    }
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
    append(line, toLatLng(from.x, from.y))
    this.draw(line, from.edge, from.along, leave)
    for (const step of steps) {
      const [start, end] = step % 2 === 0 ? [0, Number.POSITIVE_INFINITY] : [Number.POSITIVE_INFINITY, 0]
      this.draw(line, step >> 1, start, end)
    }
    if (from.edge !== to.edge || leave !== to.along) this.draw(line, to.edge, enter, to.along)
    append(line, toLatLng(to.x, to.y))
  }

  /** Appends the vertices of an edge between two positions along it, in meters, in either direction. */
  private draw(line: LatLng[], edge: number, fromMetres: number, toMetres: number): void {
    const { vertexStart, vertexX, vertexY } = this.network
    const first = vertexStart[edge] as number
    const last = (vertexStart[edge + 1] as number) - 1
    const low = Math.min(fromMetres, toMetres)
    const high = Math.max(fromMetres, toMetres)
    const between: LatLng[] = []
    let metres = 0
    for (let at = first; at <= last; at++) {
      const [x, y] = [vertexX[at] as number, vertexY[at] as number]
      if (at > first) metres += metresBetween(vertexX[at - 1] as number, vertexY[at - 1] as number, x, y)
      if (metres >= low && metres <= high) between.push(toLatLng(x, y))
    }
    if (fromMetres > toMetres) between.reverse()
    for (const point of between) append(line, point)
  }
}

export const driveTimeOf = (cost: Cost): DriveTime => {
  return { distanceKm: dmOf(cost) / 10_000, durationS: msOf(cost) / 1000 }
}

function append(line: LatLng[], point: LatLng): void {
  const last = line.at(-1)
  if (!last || last.lat !== point.lat || last.lng !== point.lng) line.push(point)
}
