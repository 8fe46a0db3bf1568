import { expect, it } from 'vitest'
import { moneyText, percentOf, plainAmount, roundTo, toAmount, unit } from './amount.ts'

it('toAmount: half -> away from zero, on both sides', () => {
  expect([2.5, -2.5, 2.49, -2.49, -0.2].map(toAmount)).toEqual([3, -3, 2, -2, 0])
  expect(Object.is(toAmount(-0.2), 0)).toBe(true)
})

it('roundTo: amount -> the digits of the currency', () => {
  const amount = 12.3456 * unit
  expect([0, 1, 2, 3, 4, 9, -1].map((digits) => roundTo(amount, digits))).toEqual([
    120_000, 123_000, 123_500, 123_460, 123_456, 123_456, 120_000,
  ])
  expect(roundTo(-0.5 * unit, 0)).toBe(-unit)
})

it('percentOf: amount and percentage -> the share', () => {
  expect(percentOf(200 * unit, 12.5 * unit)).toBe(25 * unit)
})

it('toAmount: not a safe integer -> RangeError', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
    expect(() => toAmount(value)).toThrow(RangeError)
  }
})

it('plainAmount: amount -> plain digits', () => {
  expect([plainAmount(110 * unit, 0), plainAmount(110.5 * unit, 2), plainAmount(-0.5 * unit, 0)]).toEqual([
    '110',
    '110.50',
    '-1',
  ])
})

it('moneyText: symbol before or after -> left-to-right in any sentence', () => {
  const before = { symbol: '$', swipe_symbol: false }
  expect(moneyText(1_234_567.5 * unit, 2, before)).toBe('\u2066$1,234,567.50\u2069')
  expect(moneyText(341 * unit, 0, { symbol: 'kr', swipe_symbol: true })).toBe('\u2066341\u00a0kr\u2069')
  expect(moneyText(-0.1234 * unit, 4, before)).toBe('\u2066\u2212$0.1234\u2069')
})
