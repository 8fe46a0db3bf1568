import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { type FareRule, fareFor } from './fare.ts'

const rule: FareRule = {
  base_fare: 20 * unit,
  rate_per_unit_distance: 10 * unit,
  rate_per_hour: 60 * unit,
  min_fare: 50 * unit,
  convenience_fees: 10 * unit,
  convenience_fee_type: 'percentage',
}
const noDecimals = { decimal: 0, convert_to_mile: false }

describe('fareFor', () => {
  it('distance and time -> base, distance, time and fee', () => {
    expect(fareFor(rule, 6, 1200, 0, noDecimals)).toEqual({
      base: 20 * unit,
      distance: 60 * unit,
      time: 20 * unit,
      extras: 0,
      minimum_top_up: 0,
      trip_cost: 110 * unit,
      convenience_fees: 10 * unit,
      driver_share: 100 * unit,
    })
  })

  it('below the minimum -> the minimum, with the amount added', () => {
    const fare = fareFor(rule, 1, 0, 0, noDecimals)
    expect(fare.minimum_top_up).toBe(20 * unit)
    expect(fare.trip_cost).toBe(55 * unit)
  })

  it('parcel type and option -> count towards the minimum', () => {
    const fare = fareFor(rule, 1, 0, 15 * unit, noDecimals)
    expect(fare).toMatchObject({ extras: 15 * unit, minimum_top_up: 5 * unit, driver_share: 50 * unit })
  })

  it('flat fee -> used as is', () => {
    const flat: FareRule = { ...rule, convenience_fee_type: 'flat', convenience_fees: 7 * unit }
    expect(fareFor(flat, 6, 1200, 0, noDecimals)).toMatchObject({
      trip_cost: 107 * unit,
      convenience_fees: 7 * unit,
      driver_share: 100 * unit,
    })
  })

  it('city that uses miles -> charged per mile', () => {
    const fare = fareFor(rule, 16.09344, 0, 0, { decimal: 2, convert_to_mile: true })
    expect(fare.distance).toBe(100 * unit)
  })

  it('half -> rounded away from zero', () => {
    const half: FareRule = { ...rule, base_fare: 60.5 * unit, convenience_fees: 0 }
    expect(fareFor(half, 0, 0, 0, noDecimals).trip_cost).toBe(61 * unit)
  })

  it('negative or invalid distance or time -> RangeError', () => {
    expect(() => fareFor(rule, -1, 0, 0, noDecimals)).toThrow(RangeError)
    expect(() => fareFor(rule, 1, Number.NaN, 0, noDecimals)).toThrow(RangeError)
  })

  it('any trip -> the parts add up, to the digits of the currency', () => {
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
        fc.double({ min: 0, max: 900, noNaN: true }),
        fc.integer({ min: 0, max: 86_400 }),
        fc.integer({ min: 0, max: 900 * unit }),
        fc.integer({ min: 0, max: 4 }),
        fc.boolean(),
        (anyRule, km, seconds, extras, decimal, convert_to_mile) => {
          const fare = fareFor(anyRule, km, seconds, extras, { decimal, convert_to_mile })
          expect(fare.trip_cost).toBe(fare.driver_share + fare.convenience_fees)
          expect(fare.base + fare.distance + fare.time + fare.extras + fare.minimum_top_up).toBe(
            fare.driver_share,
          )
          for (const part of Object.values(fare)) {
            expect(Number.isSafeInteger(part)).toBe(true)
            expect(part).toBeGreaterThanOrEqual(0)
            expect(part % 10 ** (4 - decimal)).toBe(0)
          }
          expect(fare.trip_cost).toBeGreaterThanOrEqual(anyRule.min_fare - 10 ** (4 - decimal))
        },
      ),
    )
  })
})
