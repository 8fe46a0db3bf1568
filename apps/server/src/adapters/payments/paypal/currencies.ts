import type { Exponent } from '../units.ts'

const twoDecimals =
  'AUD BRL CAD CNY CZK DKK EUR HKD ILS MYR MXN NZD NOK PHP PLN GBP RUB SGD SEK CHF THB USD'.split(' ')
const noDecimals = 'HUF JPY TWD'.split(' ')

/** The number of decimals PayPal uses for a currency (page "Currency codes"); undefined if unsupported. */
export function paypalDecimals(currency: string): Exponent | undefined {
  if (noDecimals.includes(currency)) return 0
  return twoDecimals.includes(currency) ? 2 : undefined
}
