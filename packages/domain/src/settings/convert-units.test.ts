import fc from 'fast-check'
import { expect, it } from 'vitest'
import { maxPrice, unit } from '../money/amount.ts'
import { convertDistance, convertDistances, convertRate } from './convert-units.ts'
import { defaultSettings } from './settings.ts'
import { valuesOf } from './values.ts'

it.each([
  [29 * unit, true, 0, 47 * unit],
  [47 * unit, false, 0, 29 * unit],
  [29 * unit, true, 2, 46.67 * unit],
  // Without this the price would become 2, 24 % too much.
  [1.25 * unit, true, 0, 2.01 * unit],
  [0, true, 2, 0],
  [maxPrice, true, 0, maxPrice],
])('rate: %d, to miles %j, %d decimals -> %d', (rate, toMile, decimal, expected) => {
  expect(convertRate(rate, toMile, decimal)).toBeCloseTo(expected, 6)
})

it.each([
  [10, true, 6.2],
  [6.2, false, 10],
  [4, true, 2.5],
  [7.25, true, 4.5],
  [0.1, true, 0.1],
  [0, false, 0],
])('distance: %d, to miles %j -> %d', (distance, toMile, expected) => {
  expect(convertDistance(distance, toMile)).toBe(expected)
})

it('settings: distances -> converted within their range, nothing else', () => {
  const { dispatch } = defaultSettings
  const values = valuesOf({
    ...defaultSettings,
    driverRadius: 400,
    dispatch: { ...dispatch, firstRadius: 4 },
  })
  expect(convertDistances(values, false)).toEqual({ driverRadius: 500, 'dispatch.firstRadius': 6.4 })
})

it('property: a rate there and back -> at most one step away, and then no further', () => {
  const rates = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 4 }), fc.boolean(), (steps, decimal, toMile) => {
      const step = 10 ** (4 - decimal)
      const rate = steps * step
      const back = (from: number) => convertRate(convertRate(from, toMile, decimal), !toMile, decimal)
      const once = back(rate)
      expect(Math.abs(once - rate)).toBeLessThanOrEqual(step)
      expect(once > 0).toBe(rate > 0)
      // A rate per km survives miles unchanged: a mile is longer, so its price has finer steps.
      if (toMile) expect(once).toBe(rate)
      expect(back(once)).toBe(once)
    }),
  )
})

it('property: a distance there and back -> at most one step away, and then no further', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.boolean(), (tenths, toMile) => {
      const distance = tenths / 10
      const back = (from: number) => convertDistance(convertDistance(from, toMile), !toMile)
      const once = back(distance)
      expect(Math.abs(once - distance)).toBeLessThanOrEqual(0.1 + 1e-9)
      expect(once).toBeGreaterThan(0)
      expect(back(once)).toBe(once)
    }),
  )
})
