import type { SourceFeature } from '../source.ts'
import { metresBetween } from '../world.ts'
import { type Box, boundsOf, middleOf, unitsIn } from './entry.ts'

interface Spot {
  x: number
  y: number
}

export interface RoadsNearby {
  /** Where a car comes nearest to a place, and how many metres are left; null when no street is in reach. */
  stopNear(x: number, y: number, within?: number): (Spot & { away: number }) | null
}

interface Door extends Spot {
  /** The smallest counts. */
  rank: number
}

/** A place wider than this is no single door: a car must know where to stop. */
const largeMetres = 120
/** A door stands on the outline when it is no farther from it. */
const outlineMetres = 15
const insideRank = 10
/** A door that no street comes near is one for people on foot. */
const doorToStreetMetres = 250
const terminalMetres = 300

/** Finds where a car stops for a large place: at its terminal, an entrance or a taxi rank, else where a street comes nearest. */
export class StoppingPoints {
  private readonly doors: Door[]
  private readonly terminals: Box[]

  constructor(
    features: SourceFeature[],
    private readonly roads: RoadsNearby,
  ) {
    this.doors = features.flatMap(({ tags, shape, rings }) => {
      const rank = shape === 'point' ? doorRank(tags) : null
      const [x, y] = rings[0] as number[]
      return rank === null ? [] : [{ x: x as number, y: y as number, rank }]
    })
    this.terminals = features.flatMap(({ tags, rings }) =>
      tags.aeroway === 'terminal' ? [boundsOf(rings)] : [],
    )
  }

  /** In world units; undefined for a place that is small, or that no street is near. */
  of(tags: Record<string, string>, rings: number[][]): Spot | undefined {
    const bounds = boundsOf(rings)
    if (metresBetween(bounds.west, bounds.north, bounds.east, bounds.south) < largeMetres) return undefined
    const terminal = tags.aeroway === 'aerodrome' ? this.terminalOf(bounds) : undefined
    const at = middleOf(terminal ?? bounds)
    const found = (terminal ? null : this.bestDoor(rings, bounds)) ?? this.roads.stopNear(at.x, at.y)
    return found ? { x: Math.round(found.x), y: Math.round(found.y) } : undefined
  }

  private terminalOf(airport: Box): Box | undefined {
    return this.terminals.find((terminal) => isWithin(middleOf(terminal), airport, terminalMetres))
  }

  /** The stop of the best door; of doors that are alike, of the one that a street comes nearest to. */
  private bestDoor(rings: number[][], bounds: Box): Spot | null {
    let best: { stop: Spot & { away: number }; rank: number } | null = null
    for (const door of this.doors) {
      if (!isWithin(door, bounds, outlineMetres)) continue
      const isOutside = distanceTo(rings, door) <= outlineMetres
      if (!isOutside && (door.rank > 1 || !isInside(rings, door))) continue
      const rank = door.rank + (isOutside ? 0 : insideRank)
      const stop = this.roads.stopNear(door.x, door.y, doorToStreetMetres)
      if (!stop || (best && (rank > best.rank || (rank === best.rank && stop.away >= best.stop.away))))
        continue
      best = { stop, rank }
    }
    return best?.stop ?? null
  }
}

const closed = new Set(['no', 'private', 'emergency', 'delivery'])

/** Main entrances and taxi ranks first, then any entrance, then gates; null for what is no way in. */
function doorRank(tags: Record<string, string>): number | null {
  if (closed.has(tags.access ?? '')) return null
  if (tags.entrance === 'main') return 0
  if (tags.amenity === 'taxi') return 1
  if (tags.entrance === 'yes') return 2
  return tags.barrier === 'gate' || tags.barrier === 'lift_gate' || tags.barrier === 'entrance' ? 3 : null
}

/** Whether a spot is in the box or at most `metres` beside it. */
export function isWithin({ x, y }: Spot, { west, north, east, south }: Box, metres: number): boolean {
  const more = unitsIn(metres, y)
  return x >= west - more && x <= east + more && y >= north - more && y <= south + more
}

function isInside(rings: number[][], { x, y }: Spot): boolean {
  let inside = false
  eachSide(rings, (ax, ay, bx, by) => {
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  })
  return inside
}

/** Metres to the nearest side of an outline. */
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
