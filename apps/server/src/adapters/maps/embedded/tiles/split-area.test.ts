import { describe, expect, it } from 'vitest'
import { isInsideRing } from '../source/join-rings.ts'
import { clipRing, splitArea } from './split-area.ts'

const box = { west: 0, north: 0, east: 10, south: 10 }

describe('clipRing', () => {
  it('ring inside the box -> unchanged', () => {
    expect(area(clipRing([2, 2, 8, 2, 8, 8, 2, 8, 2, 2], box))).toBe(36)
  })

  it('ring partly outside -> outside part removed', () => {
    expect(area(clipRing([-5, -5, 5, -5, 5, 5, -5, 5, -5, -5], box))).toBe(25)
    expect(area(clipRing([5, -5, 15, 5, 5, 15, -5, 5, 5, -5], box))).toBe(100)
    expect(clipRing([20, 20, 30, 20, 30, 30, 20, 20], box)).toEqual([])
  })

  it('ring around the box -> the box', () => {
    expect(area(clipRing([-50, -50, 50, -50, 50, 50, -50, 50, -50, -50], box))).toBe(100)
  })
})

describe('splitArea', () => {
  it('few points -> unchanged', () => {
    const rings = [[0, 0, 9, 0, 9, 9, 0, 9, 0, 0]]
    expect(splitArea(rings)).toEqual([rings])
  })

  it('very many points and a hole -> small parts that cover the same area', () => {
    const circle = (radius: number, count: number) =>
      Array.from({ length: count + 1 }, (_, at) => {
        const angle = (2 * Math.PI * (at % count)) / count
        return [
          100_000 + Math.round(radius * Math.cos(angle)),
          100_000 + Math.round(radius * Math.sin(angle)),
        ]
      }).flat()
    const rings = [circle(90_000, 6_000), circle(30_000, 40).reverse()]
    const parts = splitArea(rings)
    expect(parts.length).toBeGreaterThan(3)
    for (const part of parts) expect(part.flat().length / 2).toBeLessThanOrEqual(1_500)
    const isCovered = (x: number, y: number) =>
      parts.some((part) => part.filter((ring) => isInsideRing(ring, x, y)).length === 1)
    for (let x = 5_000; x < 200_000; x += 7_919) {
      for (let y = 5_000; y < 200_000; y += 7_919) {
        const away = Math.hypot(x - 100_000, y - 100_000)
        if (Math.abs(away - 90_000) < 500 || Math.abs(away - 30_000) < 500) continue
        expect(isCovered(x, y), `${x}, ${y}`).toBe(away < 90_000 && away > 30_000)
      }
    }
  })
})

function area(ring: number[]): number {
  let sum = 0
  for (let i = 2; i < ring.length; i += 2) {
    sum += (ring[i - 2] as number) * (ring[i + 1] as number) - (ring[i] as number) * (ring[i - 1] as number)
  }
  return Math.abs(sum / 2)
}
