import { describe, expect, it } from 'vitest'
import { isInsideRing } from '../source/join-rings.ts'
import { pieces, seaBetween } from './coast.ts'

const bounds = { west: 100, north: 100, east: 200, south: 200 }
const wide = { west: 0, north: 0, east: 300, south: 300 }
/** Land in the north of the world, its coast at y; land is on the left of a line to the east. */
const farCoast = (y: number) => [-50, y, 350, y, 350, -50, -50, -50, -50, y]
const isSea = (rings: number[][], x: number, y: number) =>
  rings.filter((ring) => isInsideRing(ring, x, y)).length % 2 === 1

describe('seaBetween', () => {
  it('coasts differ at the edge -> joined without a step', () => {
    const sea = seaBetween([[90, 150, 210, 150]], [farCoast(160)], bounds, wide)
    expect(sea).toHaveLength(1)
    expect(isSea(sea, 150, 155)).toBe(true)
    expect(isSea(sea, 150, 145)).toBe(false)
    expect(isSea(sea, 50, 153)).toBe(false)
    expect(isSea(sea, 50, 157)).toBe(true)
    expect(isSea(sea, 250, 250)).toBe(true)
    expect(isSea(sea, 250, 50)).toBe(false)
  })

  it('no coast in the region, far coast through it -> the region is land', () => {
    const sea = seaBetween([], [farCoast(150)], bounds, wide)
    expect(isSea(sea, 150, 190)).toBe(false)
    expect(isSea(sea, 50, 190)).toBe(true)
    expect(isSea(sea, 250, 190)).toBe(true)
    expect(isSea(sea, 150, 250)).toBe(true)
  })

  it('no coast anywhere -> no sea', () => {
    const continent = [-50, 350, 350, 350, 350, -50, -50, -50, -50, 350]
    expect(seaBetween([], [continent], bounds, wide)).toEqual([])
    expect(seaBetween([], [], bounds, wide)).toEqual([])
  })

  it('island in the region and in the sea around it -> land in the sea', () => {
    const island = (x: number, y: number) => [x, y, x, y + 10, x + 10, y + 10, x + 10, y, x, y]
    const sea = seaBetween([island(140, 140)], [island(20, 20)], bounds, wide)
    expect(isSea(sea, 145, 145)).toBe(false)
    expect(isSea(sea, 25, 25)).toBe(false)
    expect(isSea(sea, 160, 160)).toBe(true)
    expect(isSea(sea, 250, 40)).toBe(true)
  })

  it('coast that ends within the region -> extended to the nearest edge', () => {
    const sea = seaBetween([[120, 150, 190, 150]], [farCoast(150)], bounds, wide)
    expect(isSea(sea, 150, 155)).toBe(true)
    expect(isSea(sea, 150, 145)).toBe(false)
    expect(isSea(sea, 105, 155)).toBe(true)
  })

  it('coast of half a million points -> one sea', () => {
    const points = 500_000
    const coast = Array.from({ length: points }, (_, index) => [
      90 + (120 * index) / (points - 1),
      150,
    ]).flat()
    const sea = seaBetween([coast], [farCoast(150)], bounds, wide)
    expect(sea).toHaveLength(1)
    expect(isSea(sea, 150, 155)).toBe(true)
    expect(isSea(sea, 150, 145)).toBe(false)
  })

  it('bay: coast enters and leaves at the same side -> closed there', () => {
    const sea = seaBetween([[120, 210, 120, 150, 140, 150, 140, 210]], [], bounds, wide)
    expect(isSea(sea, 130, 180)).toBe(true)
    expect(isSea(sea, 110, 180)).toBe(false)
    expect(isSea(sea, 130, 250)).toBe(false)
  })
})

describe('pieces', () => {
  it('line through a box -> outside, inside, outside', () => {
    expect(pieces([0, 150, 300, 150], bounds).map(({ inside, line }) => [inside, line])).toEqual([
      [false, [0, 150, 100, 150]],
      [true, [100, 150, 200, 150]],
      [false, [200, 150, 300, 150]],
    ])
  })

  it('closed line that starts outside -> its last and first piece are one', () => {
    const found = pieces([50, 150, 150, 150, 150, 50, 50, 50, 50, 150], bounds)
    expect(found.map(({ inside }) => inside)).toEqual([false, true])
  })
})
