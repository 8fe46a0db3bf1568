/// <reference path="./topojson-client.d.ts" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import { reversedRing, signedArea } from '../source/join-rings.ts'
import { toLatLng, toWorld, worldSize } from '../world.ts'
import type { Box } from './coast.ts'

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

/** The land that may reach into a box, from Natural Earth at 1:10 million: outlines with land on their left. */
export function landAround(box: Box): number[][] {
  const path = createRequire(import.meta.url).resolve('world-atlas/land-10m.json')
  const topology = JSON.parse(readFileSync(path, 'utf8')) as object
  const northWest = toLatLng(box.west, box.north)
  const southEast = toLatLng(box.east, box.south)
  return feature(topology, 'land')
    .features.flatMap(({ geometry }) =>
      geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
    )
    .map((polygon) => polygon[0] ?? [])
    .filter((outline) => mayReach(outline, northWest, southEast))
    .map((outline) => {
      const ring = outline.flatMap(([lng = 0, lat = 0]) => {
        const { x, y } = toWorld({ lat: Math.max(-85, Math.min(85, lat)), lng })
        return [Math.round(x), Math.round(y)]
      })
      return signedArea(ring) > 0 ? reversedRing(ring) : ring
    })
}

/** Tests only the bounds of an outline in degrees, so false positives are possible. */
function mayReach(
  outline: number[][],
  northWest: { lat: number; lng: number },
  southEast: { lat: number; lng: number },
): boolean {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [lng = 0, lat = 0] of outline) {
    west = Math.min(west, lng)
    east = Math.max(east, lng)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  return west < southEast.lng && east > northWest.lng && south < northWest.lat && north > southEast.lat
}
