import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FareRule, fareFor } from '../fare/fare.ts'
import { unit } from '../money/amount.ts'
import { returnCost } from './return-leg.ts'

const rule: FareRule = {
  base_fare: 20 * unit,
  rate_per_unit_distance: 10 * unit,
  rate_per_hour: 60 * unit,
  min_fare: 150 * unit,
  convenience_fees: 10 * unit,
  convenience_fee_type: 'percentage',
}
const noDecimals = { decimal: 0, convert_to_mile: false }

describe('returnCost', () => {
  it('distance and time -> the rates and the percentage fee, no base fare and no minimum', () => {
    expect(returnCost(rule, 6, 1200, noDecimals)).toEqual({
      cost: 88 * unit,
      convenience_fees: 8 * unit,
      driver_share: 80 * unit,
    })
  })

  it('flat fee -> not charged again', () => {
    const flat: FareRule = { ...rule, convenience_fee_type: 'flat', convenience_fees: 7 * unit }
    expect(returnCost(flat, 6, 1200, noDecimals)).toEqual({
      cost: 80 * unit,
      convenience_fees: 0,
      driver_share: 80 * unit,
    })
  })

  it('city that uses miles -> charged per mile', () => {
    const miles = { decimal: 2, convert_to_mile: true }
    expect(returnCost({ ...rule, convenience_fees: 0 }, 16.09344, 0, miles).cost).toBe(100 * unit)
  })

  it('pickup at the last drop -> free', () => {
    expect(returnCost(rule, 0, 0, noDecimals)).toEqual({ cost: 0, convenience_fees: 0, driver_share: 0 })
  })

  it('negative or invalid distance or time -> RangeError', () => {
    expect(() => returnCost(rule, -1, 0, noDecimals)).toThrow(RangeError)
    expect(() => returnCost(rule, 1, Number.NaN, noDecimals)).toThrow(RangeError)
  })

  it('any leg -> parts add up, and it costs no more than a trip of that length', () => {
    const amount = fc.integer({ min: 0, max: 5000 * unit })
    const anyRule: fc.Arbitrary<FareRule> = fc.record({
      base_fare: amount,
      rate_per_unit_distance: amount,
      rate_per_hour: amount,
      min_fare: amount,
      convenience_fees: fc.integer({ min: 0, max: 100 * unit }),
      convenience_fee_type: fc.constantFrom('flat' as const, 'percentage' as const),
    })
    fc.assert(
      fc.property(
        anyRule,
        fc.double({ min: 0, max: 200, noNaN: true }),
        fc.integer({ min: 0, max: 36_000 }),
        fc.integer({ min: 0, max: 4 }),
        fc.boolean(),
        (anyRule, km, seconds, decimal, convert_to_mile) => {
          const units = { decimal, convert_to_mile }
          const { cost, convenience_fees, driver_share } = returnCost(anyRule, km, seconds, units)
          expect(cost).toBe(convenience_fees + driver_share)
          for (const part of [cost, convenience_fees, driver_share]) {
            expect(part).toBeGreaterThanOrEqual(0)
            expect(part % 10 ** (4 - decimal)).toBe(0)
          }
          expect(cost).toBeLessThanOrEqual(fareFor(anyRule, km, seconds, 0, units).trip_cost)
        },
      ),
    )
  })
})
