import type { LatLng } from '@hansom/domain/geo/point'
import type Flatbush from 'flatbush'
import type { DriveTime, Route } from '../../port.ts'
import { toLatLng } from '../world.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { Network } from './network.ts'
import { PathFinder, type Seed } from './shortest-path.ts'
import { type Snap, snap } from './snap.ts'

const atNodeMetres = 0.05

/** Routing over the streets of a region. */
export class Streets {
  private readonly finder: PathFinder

  constructor(
    readonly network: Network,
    hierarchy: Hierarchy,
    private readonly segments: Flatbush,
    private readonly edgeOf: Uint32Array,
    private readonly edgeStreet: Int32Array,
  ) {
    this.finder = new PathFinder(hierarchy)
  }

  /** Null if no street is within reach. */
  snap(point: LatLng): Snap | null {
    return snap(this.network, this.segments, this.edgeOf, point)
  }

  /**
   * The nearest named street within `within` meters: its index among the entries and the nearest point on it; null if
   * none is near.
   */
  namedStreet(point: LatLng, within: number): { street: number; at: LatLng } | null {
    const keep = (edge: number) => this.edgeStreet[edge] !== -1
    const found = snap(this.network, this.segments, this.edgeOf, point, { within, keep })
    return found && { street: this.edgeStreet[found.edge] as number, at: toLatLng(found.x, found.y) }
  }

  /** The fastest route through the points in order, or null: see the port. */
  route(points: LatLng[]): Route | null {
    const snaps = points.map((point) => this.snap(point))
    if (snaps.length < 2) return null
    const total: Route = { distanceKm: 0, durationS: 0, polyline: [] }
    for (let leg = 1; leg < snaps.length; leg++) {
      const from = snaps[leg - 1]
      const to = snaps[leg]
      const part = from && to ? this.leg(from, to) : null
      if (!part) return null
      total.distanceKm += part.metres / 1000
      total.durationS += part.ms / 1000
      for (const point of part.line) append(total.polyline, point)
    }
    return total
  }

  driveTime(from: Snap, to: Snap): DriveTime | null {
    const part = this.leg(from, to)
    return part && { distanceKm: part.metres / 1000, durationS: part.ms / 1000 }
  }

  private leg(from: Snap, to: Snap): { ms: number; metres: number; line: LatLng[] } | null {
    const direct = this.alongOneEdge(from, to)
    const exits = this.exits(from)
    const entries = this.entries(to)
    const path = this.finder.path(exits, entries, direct ?? undefined)
    const line = [toLatLng(from.x, from.y)]
    if (!path) {
      if (direct === null) return null
      this.draw(line, from.edge, from.along, to.along)
      append(line, toLatLng(to.x, to.y))
      return { ms: direct, metres: Math.abs(to.along - from.along), line }
    }
    const leaveAt = (exits[path.source] as Gate).metres
    const enterAt = (entries[path.target] as Gate).metres
    let metres = Math.abs(leaveAt - from.along) + Math.abs(to.along - enterAt)
    this.draw(line, from.edge, from.along, leaveAt)
    for (const step of path.edges) {
      const length = this.edgeMetres(step >> 1)
      metres += length
      this.draw(line, step >> 1, step % 2 === 0 ? 0 : length, step % 2 === 0 ? length : 0)
    }
    this.draw(line, to.edge, enterAt, to.along)
    append(line, toLatLng(to.x, to.y))
    return { ms: path.ms, metres, line }
  }

  /** Milliseconds between two points without leaving the edge; null if the edges differ or the direction is closed. */
  private alongOneEdge(from: Snap, to: Snap): number | null {
    if (from.edge !== to.edge) return null
    const { forwardMs, backwardMs } = this.network
    const ms = (to.along >= from.along ? forwardMs[from.edge] : backwardMs[from.edge]) as number
    if (from.along === to.along) return 0
    return ms === 0 ? null : share(ms, Math.abs(to.along - from.along), from.length)
  }

  private exits(at: Snap): Gate[] {
    const { forwardMs, backwardMs } = this.network
    return this.atNode(at) ?? this.gates(at, backwardMs[at.edge] as number, forwardMs[at.edge] as number)
  }

  private entries(at: Snap): Gate[] {
    const { forwardMs, backwardMs } = this.network
    return this.atNode(at) ?? this.gates(at, forwardMs[at.edge] as number, backwardMs[at.edge] as number)
  }

  /** At an intersection, every street is an exit, whichever edge the point was snapped to. Otherwise null. */
  private atNode({ edge, along, length }: Snap): Gate[] | null {
    if (along < atNodeMetres) return [{ node: this.network.edgeFrom[edge] as number, ms: 0, metres: along }]
    if (length - along < atNodeMetres)
      return [{ node: this.network.edgeTo[edge] as number, ms: 0, metres: along }]
    return null
  }

  /** The usable ends of the edge, given its cost towards each; 0 is closed. */
  private gates({ edge, along, length }: Snap, startMs: number, endMs: number): Gate[] {
    const { edgeFrom, edgeTo } = this.network
    const gates: Gate[] = []
    if (startMs > 0)
      gates.push({ node: edgeFrom[edge] as number, ms: share(startMs, along, length), metres: 0 })
    if (endMs > 0)
      gates.push({ node: edgeTo[edge] as number, ms: share(endMs, length - along, length), metres: length })
    return gates
  }

  private edgeMetres(edge: number): number {
    return this.network.vertexMetres[(this.network.vertexStart[edge + 1] as number) - 1] as number
  }

  /** Appends the vertices of an edge between two positions along it, in either direction. */
  private draw(line: LatLng[], edge: number, fromMetres: number, toMetres: number): void {
    const { vertexStart, vertexMetres, vertexLat, vertexLng } = this.network
    const first = vertexStart[edge] as number
    const last = (vertexStart[edge + 1] as number) - 1
    const low = Math.min(fromMetres, toMetres)
    const high = Math.max(fromMetres, toMetres)
    const ahead = fromMetres <= toMetres
    for (let step = 0; step <= last - first; step++) {
      const at = ahead ? first + step : last - step
      const metres = vertexMetres[at] as number
      if (metres >= low && metres <= high)
        append(line, { lat: vertexLat[at] as number, lng: vertexLng[at] as number })
    }
  }
}

/** A node where a snapped point's edge joins the network, `metres` along that edge. */
interface Gate extends Seed {
  metres: number
}

function share(ms: number, metres: number, length: number): number {
  return Math.round((ms * metres) / length)
}

function append(line: LatLng[], point: LatLng): void {
  const last = line.at(-1)
  if (!last || last.lat !== point.lat || last.lng !== point.lng) line.push(point)
}
