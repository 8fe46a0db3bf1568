import { describe, expect, it } from 'vitest'
import { clipRing } from './split-area.ts'

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

function area(ring: number[]): number {
  let sum = 0
  for (let i = 2; i < ring.length; i += 2) {
    sum += (ring[i - 2] as number) * (ring[i + 1] as number) - (ring[i] as number) * (ring[i - 1] as number)
  }
  return Math.abs(sum / 2)
}
