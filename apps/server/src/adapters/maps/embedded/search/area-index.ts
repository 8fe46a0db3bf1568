import Flatbush from 'flatbush'
import { boundsOf } from '../source/join-rings.ts'
import type { Box } from '../source/map-source.ts'

/** An area's sides in horizontal bands, so that a position is tested against the few sides beside it. */
interface Banded {
  box: Box
  /** Sides as ax, ay, bx, by. */
  bands: number[][]
}

/** Finds the areas that contain a position, in about constant time, regardless of the number of their vertices. */
export class AreaIndex {
  private readonly index: Flatbush
  private readonly areas: Banded[]

  /** Each area is its rings, flat x, y in world units. */
  constructor(areas: number[][][]) {
    this.areas = areas.map(banded)
    this.index = new Flatbush(Math.max(1, areas.length), 16, Float64Array)
    for (const { box } of this.areas) this.index.add(box.west, box.north, box.east, box.south)
    if (areas.length === 0) this.index.add(0, 0)
    this.index.finish()
  }

  /** The indexes of the areas that contain the position. */
  containing(x: number, y: number): number[] {
    return this.index.search(x, y, x, y).filter((area) => {
      const found = this.areas[area]
      return found !== undefined && contains(found, x, y)
    })
  }
}

const sidesPerBand = 8

function banded(rings: number[][]): Banded {
  const box = boundsOf(rings)
  const sides = rings.reduce((sum, ring) => sum + ring.length / 2, 0)
  const bands: number[][] = Array.from({ length: Math.max(1, Math.ceil(sides / sidesPerBand)) }, () => [])
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const [ax, ay] = [ring[i] as number, ring[i + 1] as number]
      const next = i + 2 < ring.length ? i + 2 : 0
      const [bx, by] = [ring[next] as number, ring[next + 1] as number]
      const last = bandOf(box, bands.length, Math.max(ay, by))
      for (let band = bandOf(box, bands.length, Math.min(ay, by)); band <= last; band++)
        bands[band]?.push(ax, ay, bx, by)
    }
  }
  return { box, bands }
}

function bandOf({ north, south }: Box, count: number, y: number): number {
  return south === north ? 0 : Math.min(count - 1, Math.floor(((y - north) / (south - north)) * count))
}

function contains({ box, bands }: Banded, x: number, y: number): boolean {
  const sides = bands[bandOf(box, bands.length, y)] ?? []
  let inside = false
  for (let i = 0; i < sides.length; i += 4) {
    const ay = sides[i + 1] as number
    const by = sides[i + 3] as number
    if (ay > y === by > y) continue
    const ax = sides[i] as number
    if (x < (((sides[i + 2] as number) - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
