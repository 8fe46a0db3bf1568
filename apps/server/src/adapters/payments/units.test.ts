import { describe, expect, test } from 'vitest'
import { fits, fromNumber, fromText, fromUnits, toText, toUnits } from './units.ts'

describe('provider amounts', () => {
  test('toText and toUnits -> exact, or RangeError', () => {
    expect(toUnits(150_000, 2)).toBe(1500)
    expect(toUnits(150_000, 0)).toBe(15)
    expect(toUnits(150_001, 4)).toBe(150_001)
    expect(toText(150_000, 2)).toBe('15.00')
    expect(toText(500, 2)).toBe('0.05')
    expect(toText(150_000, 0)).toBe('15')
    expect(toText(-123_400, 2)).toBe('-12.34')
    expect(toText(2_000_000_000_000, 3)).toBe('200000000.000')
    for (const [amount, exponent] of [
      [150_001, 2],
      [155_000, 0],
      [Number.NaN, 2],
      [0.5, 4],
      [2 ** 53, 4],
    ] as const) {
      expect(fits(amount, exponent)).toBe(false)
      expect(() => toText(amount, exponent)).toThrow(RangeError)
    }
  })

  test('fromText and fromNumber -> exact', () => {
    for (const text of ['15', '15.0', '15.00', '15.000000', '015']) expect(fromText(text)).toBe(150_000)
    expect(fromText('0.07')).toBe(700)
    expect(fromText('-0.23')).toBe(-2300)
    expect(fromNumber(1.15)).toBe(11_500)
    expect(fromNumber(99_999_999.99)).toBe(999_999_999_900)
    expect(fromUnits(1500, 2)).toBe(150_000)
  })

  test('not an amount -> PaymentError', () => {
    const unreadable = expect.objectContaining({ name: 'PaymentError', permanent: true })
    for (const text of [
      '',
      ' 15',
      '15,00',
      '1e3',
      '0x10',
      '+5',
      '15.',
      '.5',
      '1.00001',
      '999999999999',
      'NaN',
    ])
      expect(() => fromText(text)).toThrow(unreadable)
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])
      expect(() => fromNumber(value)).toThrow(unreadable)
    for (const units of [0.5, Number.NaN, 2 ** 53]) expect(() => fromUnits(units, 2)).toThrow(unreadable)
  })
})
