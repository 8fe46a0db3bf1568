/// <reference path="./topojson-client.d.ts" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import { toWorld } from '../world.ts'
import type { Box } from './shore.ts'

/** The area around the region, in degrees, for zooming out and panning. */
const surroundings = { west: -58.2, east: -54.2, north: -34.0, south: -36.3 }

export function surroundingBox(): Box {
  const northWest = toWorld({ lat: surroundings.north, lng: surroundings.west })
  const southEast = toWorld({ lat: surroundings.south, lng: surroundings.east })
  return {
    west: Math.round(northWest.x),
    north: Math.round(northWest.y),
    east: Math.round(southEast.x),
    south: Math.round(southEast.y),
  }
}

/**
 * The sea around the region from Natural Earth's land at 1:10 million, in four strips that exclude the region itself.
 * Each strip has rings of flat x, y: its outline, then the land in it.
 */
export function distantSea(region: Box): number[][][] {
  const wide = surroundingBox()
  const land = landRings()
  const strips: Box[] = [
    { ...wide, south: region.north },
    { ...wide, north: region.south },
    { ...region, west: wide.west, east: region.west },
    { ...region, west: region.east, east: wide.east },
  ]
  return strips.map((strip) => {
    const { west, north, east, south } = strip
    const outline = [west, north, west, south, east, south, east, north, west, north]
    return [outline, ...land.map((ring) => clipRing(ring, strip)).filter((ring) => ring.length >= 8)]
  })
}

function landRings(): number[][] {
  const path = createRequire(import.meta.url).resolve('world-atlas/land-10m.json')
  const topology = JSON.parse(readFileSync(path, 'utf8')) as object
  return feature(topology, 'land')
    .features.flatMap(({ geometry }) =>
      geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
    )
    .map((polygon) => polygon[0] ?? [])
    .filter(isNear)
    .map((outline) =>
      outline.flatMap(([lng = 0, lat = 0]) => {
        const { x, y } = toWorld({ lat: Math.max(-85, Math.min(85, lat)), lng })
        return [Math.round(x), Math.round(y)]
      }),
    )
}

/**
 * Whether an outline in degrees may reach into the surroundings; tests only its bounds, so false positives are
 * possible.
 */
function isNear(outline: number[][]): boolean {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [lng = 0, lat = 0] of outline) {
    west = Math.min(west, lng)
    east = Math.max(east, lng)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  const box = surroundings
  return west < box.east && east > box.west && south < box.north && north > box.south
}

/** Clips a closed ring to a box (Sutherland and Hodgman, 1974). Empty if nothing is left. */
export function clipRing(ring: number[], { west, north, east, south }: Box): number[] {
  const sides: [axis: 0 | 1, at: number, keepsGreater: boolean][] = [
    [0, west, true],
    [0, east, false],
    [1, north, true],
    [1, south, false],
  ]
  let points = ring.slice(0, -2)
  for (const [axis, at, keepsGreater] of sides) {
    const kept: number[] = []
    for (let i = 0; i < points.length; i += 2) {
      const j = (i + points.length - 2) % points.length
      const from = points[j + axis] as number
      const to = points[i + axis] as number
      const wasIn = from >= at === keepsGreater || from === at
      const isIn = to >= at === keepsGreater || to === at
      if (wasIn !== isIn) {
        const share = (at - from) / (to - from)
        const other =
          (points[j + 1 - axis] as number) +
          share * ((points[i + 1 - axis] as number) - (points[j + 1 - axis] as number))
        kept.push(...(axis === 0 ? [at, Math.round(other)] : [Math.round(other), at]))
      }
      if (isIn) kept.push(points[i] as number, points[i + 1] as number)
    }
    points = kept
  }
  return points.length < 6 ? [] : [...points, points[0] as number, points[1] as number]
}
