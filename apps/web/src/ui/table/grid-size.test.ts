import { expect, it } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { widestAmount, widestWord } from './grid-size.ts'

const widthOf = (symbol: string, decimal: number) =>
  widestAmount(
    createFormat({
      locale: 'en',
      dateLocale: 'en',
      symbol,
      decimal,
      swipe_symbol: true,
      convert_to_mile: false,
      timezone: 'UTC',
    }),
  )

it('widestAmount: longer symbol or more decimals -> wider column', () => {
  expect(widthOf('$', 0)).toBeLessThan(widthOf('UY$', 0))
  expect(widthOf('UY$', 0)).toBeLessThan(widthOf('UY$', 2))
  expect(widthOf('UY$', 2)).toBeGreaterThanOrEqual('999,999.00 UY$'.length * 7.8)
})

it('widestWord: the longest word of a heading counts, not the whole; sorting takes more', () => {
  expect(widestWord('Frais de réservation', false)).toBe(widestWord('réservation', false))
  expect(widestWord('réservation', false)).toBeGreaterThan(widestWord('Frais', false))
  expect(widestWord('réservation', true)).toBeGreaterThan(widestWord('réservation', false))
  expect(widestWord('预订编号与状态', false)).toBeLessThan(60)
})
