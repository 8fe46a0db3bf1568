import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { shareFare } from './shares.ts'

describe('shareFare', () => {
  it('legs of different length -> parts in proportion', () => {
    expect(shareFare(100 * unit, [1000, 3000, 0, 1000], 0)).toEqual([20 * unit, 60 * unit, 0, 20 * unit])
  })

  it('total that cannot be split evenly -> parts add up to the last digit', () => {
    expect(shareFare(10 * unit, [1, 1, 1], 2)).toEqual([33_300, 33_400, 33_300])
    expect(shareFare(10 * unit, [1, 1, 1], 0)).toEqual([3 * unit, 4 * unit, 3 * unit])
  })

  it('no distance at all -> equal parts', () => {
    expect(shareFare(9 * unit, [0, 0, 0], 0)).toEqual([3 * unit, 3 * unit, 3 * unit])
  })

  it('no legs, negative or invalid leg or total -> RangeError', () => {
    for (const legs of [[], [1, -1], [Number.NaN], [1, Number.POSITIVE_INFINITY]])
      expect(() => shareFare(unit, legs, 2)).toThrow(RangeError)
    expect(() => shareFare(-unit, [1], 2)).toThrow(RangeError)
    expect(() => shareFare(Number.NaN, [1], 2)).toThrow(RangeError)
  })

  it('any fare and legs -> parts add up, each less than one coin from its exact part', () => {
    const anyLegs = fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 0, max: 90_000 }),
        anyLegs,
        (decimal, coins, legs) => {
          const coin = 10 ** (4 - decimal)
          const total = coins * coin
          const shares = shareFare(total, legs, decimal)
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total)
          const sum = legs.reduce((upTo, leg) => upTo + leg, 0)
          shares.forEach((share, at) => {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share % coin).toBe(0)
            const exact = sum > 0 ? (total * (legs[at] as number)) / sum : total / legs.length
            expect(Math.abs(share - exact)).toBeLessThan(coin * 1.000_001)
          })
        },
      ),
    )
  })
})
