import { expect, it } from 'vitest'
import { isInsideRing } from '../source/join-rings.ts'
import { toWorld } from '../world.ts'
import { seaBetween } from './coast.ts'
import { landAround, surroundingsOf } from './world-land.ts'

const around = (lat: number, lng: number) => {
  const { x, y } = toWorld({ lat, lng })
  const [px, py] = [Math.round(x), Math.round(y)]
  const bounds = { west: px - 100_000, north: py - 100_000, east: px + 100_000, south: py + 100_000 }
  return { bounds, wide: surroundingsOf(bounds) }
}

function isSea(sea: number[][], lat: number, lng: number): boolean {
  const { x, y } = toWorld({ lat, lng })
  return sea.filter((ring) => isInsideRing(ring, x, y)).length % 2 === 1
}

type LatLngPair = [lat: number, lng: number]

it.each<[string, LatLngPair, LatLngPair, LatLngPair]>([
  ['coast of two countries', [-34.9, -56.2], [-35.5, -55.5], [-34.3, -56.5]],
  ['inland sea', [40.4, 49.9], [40.2, 51.2], [40.5, 49.0]],
  ['island', [35.9, 14.45], [35.4, 14.0], [35.9, 14.4]],
])('seaBetween with landAround: %s -> sea and land where they are', (_, center, sea, land) => {
  const { bounds, wide } = around(...center)
  const found = seaBetween([], landAround(wide), bounds, wide)
  expect(isSea(found, ...sea)).toBe(true)
  expect(isSea(found, ...land)).toBe(false)
})

it('landAround: inland region -> no sea', () => {
  const { bounds, wide } = around(47.14, 9.52)
  expect(seaBetween([], landAround(wide), bounds, wide)).toEqual([])
})
