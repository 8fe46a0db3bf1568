import { expect, it } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { widestAmount } from './grid-size.ts'

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
