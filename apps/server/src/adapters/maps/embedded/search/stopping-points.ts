import Flatbush from 'flatbush'
import { boundsOf, isInsideRing } from '../source/join-rings.ts'
import type { Box, SourceFeature } from '../source/map-source.ts'
import { metresBetween } from '../world.ts'
import { middle, middleOf, unitsIn } from './entry.ts'

interface Spot {
  x: number
  y: number
}

export interface RoadsNearby {
  /** The nearest point on a street and the remaining distance in meters; null if no street is within reach. */
  stopNear(x: number, y: number, within?: number): (Spot & { away: number }) | null
}

interface Entrance extends Spot {
  /** Lower is better. */
  rank: number
}

/** A place wider than this needs a separate stopping point. */
const largeMetres = 120
/** An entrance is on the outline if it is at most this far from it. */
const outlineMetres = 15
const insideRank = 10
/** An entrance farther than this from any street is for pedestrians only. */
const entranceToStreetMetres = 250
const terminalMetres = 300

/**
 * Finds where a car stops at a large place: at its terminal, an entrance or a taxi rank, otherwise at the nearest
 * street.
 */
export class StoppingPoints {
  private readonly entrances: Entrance[] = []
  private readonly terminals: Box[] = []
  private readonly index: Flatbush

  /** `features` are those for which `isEntrance` is true; others are ignored. */
  constructor(
    features: Iterable<SourceFeature>,
    private readonly roads: RoadsNearby,
  ) {
    for (const { tags, shape, rings } of features) {
      if (tags.aeroway === 'terminal') this.terminals.push(boundsOf(rings))
      const rank = shape === 'line' ? null : entranceRank(tags)
      if (rank !== null) this.entrances.push({ ...middle(shape, rings[0] as number[]), rank })
    }
    this.index = new Flatbush(Math.max(1, this.entrances.length), 16, Uint32Array)
    for (const { x, y } of this.entrances) this.index.add(x, y)
    if (this.entrances.length === 0) this.index.add(0, 0)
    this.index.finish()
  }

  /** In world units; undefined for a small place, or if no street is near. */
  of(tags: Record<string, string>, rings: number[][]): Spot | undefined {
    const bounds = boundsOf(rings)
    if (metresBetween(bounds.west, bounds.north, bounds.east, bounds.south) < largeMetres) return undefined
    const terminal = tags.aeroway === 'aerodrome' ? this.terminalOf(bounds) : undefined
    const at = middleOf(terminal ?? bounds)
    const found = (terminal ? null : this.bestEntrance(rings, bounds)) ?? this.roads.stopNear(at.x, at.y)
    return found ? { x: Math.round(found.x), y: Math.round(found.y) } : undefined
  }

  private terminalOf(airport: Box): Box | undefined {
    return this.terminals.find((terminal) => isWithin(middleOf(terminal), airport, terminalMetres))
  }

  /** The stop of the best entrance; ties go to the one nearest to a street. */
  private bestEntrance(rings: number[][], bounds: Box): Spot | null {
    let best: { stop: Spot & { away: number }; rank: number } | null = null
    const more = unitsIn(outlineMetres, bounds.north)
    const near = this.index.search(
      bounds.west - more,
      bounds.north - more,
      bounds.east + more,
      bounds.south + more,
    )
    for (const item of near) {
      const entrance = this.entrances[item]
      if (!entrance) continue
      const isOutside = distanceTo(rings, entrance) <= outlineMetres
      if (!isOutside && (entrance.rank > 1 || !isInside(rings, entrance))) continue
      const rank = entrance.rank + (isOutside ? 0 : insideRank)
      const stop = this.roads.stopNear(entrance.x, entrance.y, entranceToStreetMetres)
      if (!stop || (best && (rank > best.rank || (rank === best.rank && stop.away >= best.stop.away))))
        continue
      best = { stop, rank }
    }
    return best?.stop ?? null
  }
}

const closed = new Set(['no', 'private', 'emergency', 'delivery'])
/** Values of `entrance` that visitors do not use. */
const sideDoors = new Set(['no', 'emergency', 'exit', 'fire_exit', 'service', 'garage', 'staircase', 'home'])
const stops = new Set(['platform', 'stop_position', 'station', 'stop_area'])

/** Main entrances first, then taxi ranks, other entrances, gates and stops; null if the feature is none of these. */
function entranceRank(tags: Record<string, string>): number | null {
  if (closed.has(tags.access ?? '')) return null
  const { entrance } = tags
  if (entrance === 'main') return 0
  if (tags.amenity === 'taxi') return 1
  if (entrance !== undefined && !sideDoors.has(entrance)) return 2
  if (tags.barrier === 'gate' || tags.barrier === 'lift_gate' || tags.barrier === 'entrance') return 3
  return stops.has(tags.public_transport ?? '') ? 4 : null
}

/** Whether `StoppingPoints` uses the feature. */
export function isEntrance({ tags, shape }: SourceFeature): boolean {
  return tags.aeroway === 'terminal' || (shape !== 'line' && entranceRank(tags) !== null)
}

/** Whether a position is in the box or at most `metres` outside it. */
export function isWithin({ x, y }: Spot, { west, north, east, south }: Box, metres: number): boolean {
  const more = unitsIn(metres, y)
  return x >= west - more && x <= east + more && y >= north - more && y <= south + more
}

/** Whether a position is in the area and in none of its holes. */
const isInside = (rings: number[][], { x, y }: Spot): boolean =>
  rings.filter((ring) => isInsideRing(ring, x, y)).length % 2 === 1

/** Meters to the nearest side of an outline. */
function distanceTo(rings: number[][], { x, y }: Spot): number {
  let least = Number.POSITIVE_INFINITY
  eachSide(rings, (ax, ay, bx, by) => {
    const [dx, dy] = [bx - ax, by - ay]
    const share = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
    least = Math.min(least, metresBetween(x, y, ax + share * dx, ay + share * dy))
  })
  return least
}

function eachSide(rings: number[][], see: (ax: number, ay: number, bx: number, by: number) => void): void {
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      see(ring[i - 2] as number, ring[i - 1] as number, ring[i] as number, ring[i + 1] as number)
    }
  }
}
