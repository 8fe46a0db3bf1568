import { expect, it } from 'vitest'
import { deviationOf, isAccurate } from './accuracy.ts'

it('deviationOf: normally distributed positions -> 63 % are inside the radius', () => {
  const sigma = deviationOf(30)
  // The share inside a circle, from the distribution of Rayleigh.
  expect(1 - Math.exp(-(30 ** 2) / (2 * sigma ** 2))).toBeCloseTo(0.63, 2)
})

it('deviationOf: radius unknown or implausibly small -> a usual and a least deviation', () => {
  expect(deviationOf(null)).toBeGreaterThan(10)
  expect(deviationOf(null)).toBe(deviationOf(undefined))
  expect(deviationOf(0)).toBe(5)
})

it('isAccurate: radius beyond the limit -> false; unknown -> true', () => {
  expect([0, 150, 151, null, undefined].map(isAccurate)).toEqual([true, true, false, true, true])
})
