import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { boundsOf, reversedRing, signedArea } from '../source/join-rings.ts'
import type { Box } from '../source/map-source.ts'
import { toWorld, worldSize } from '../world.ts'

/** How far the map is drawn around a region, for zooming out and panning: about 1.5 degrees of longitude. */
const margin = Math.round((worldSize / 360) * 1.5)

export function surroundingsOf({ west, north, east, south }: Box): Box {
  return {
    west: Math.max(0, west - margin),
    north: Math.max(0, north - margin),
    east: Math.min(worldSize - 1, east + margin),
    south: Math.min(worldSize - 1, south + margin),
  }
}

/**
 * The land that may reach into a box, from Natural Earth at 1:10 million: lines with land on their left; those of
 * inland seas too.
 */
export function landAround(box: Box): number[][] {
  const world = readWorld()
  return world.polygons.flatMap((rings) =>
    rings.flatMap((arcs, index) => {
      const ring = ringOf(world, arcs)
      const { west, north, east, south } = boundsOf([ring])
      if (west > box.east || east < box.west || north > box.south || south < box.north) return []
      const isOutline = index === 0
      return [signedArea(ring) > 0 === isOutline ? reversedRing(ring) : ring]
    }),
  )
}

interface World {
  /** Points of all arcs as flat x, y; arc n is `points` from `start[n]` to `start[n + 1]`. */
  points: Uint32Array
  start: number[]
  /** Each polygon's rings as arc numbers; `~n` is arc n in the opposite direction. */
  polygons: number[][][]
}

interface Topology {
  objects: { land: { geometries: { type: string; arcs: number[][] | number[][][] }[] } }
  transform: { scale: [number, number]; translate: [number, number] }
}

/**
 * Reads the topology (https://github.com/topojson/topojson-specification). Its 200,000 points are read from the text:
 * parsed as JSON, each would be an object of its own.
 */
function readWorld(): World {
  const path = createRequire(import.meta.url).resolve('world-atlas/land-10m.json')
  const text = readFileSync(path, 'latin1')
  const begin = text.lastIndexOf('"arcs":[')
  const end = text.indexOf(']]]', begin)
  const { objects, transform } = JSON.parse(
    `${text.slice(0, begin)}"arcs":[${text.slice(end + 2)}`,
  ) as Topology
  const points: number[] = []
  const start: number[] = []
  let [x, y] = [0, 0]
  for (const [, opening, dx, dy] of text.slice(begin, end + 3).matchAll(/(\[?)\[(-?\d+),(-?\d+)\]/g)) {
    if (opening === '[') {
      start.push(points.length)
      x = 0
      y = 0
    }
    x += Number(dx)
    y += Number(dy)
    const lat = y * transform.scale[1] + transform.translate[1]
    const lng = x * transform.scale[0] + transform.translate[0]
    const world = toWorld({ lat: Math.max(-85, Math.min(85, lat)), lng })
    points.push(Math.min(worldSize - 1, Math.round(world.x)), Math.round(world.y))
  }
  start.push(points.length)
  const polygons = objects.land.geometries.flatMap(({ type, arcs }) =>
    type === 'Polygon' ? [arcs as number[][]] : (arcs as number[][][]),
  )
  return { points: Uint32Array.from(points), start, polygons }
}

function ringOf({ points, start }: World, arcs: readonly number[]): number[] {
  const ring: number[] = []
  for (const arc of arcs) {
    const at = arc < 0 ? ~arc : arc
    const line = [...points.subarray(start[at], start[at + 1])]
    const directed = arc < 0 ? reversedRing(line) : line
    for (let i = ring.length > 0 ? 2 : 0; i < directed.length; i++) ring.push(directed[i] as number)
  }
  return ring
}
