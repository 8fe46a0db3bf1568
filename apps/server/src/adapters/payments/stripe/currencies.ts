import type { Amount } from '@hansom/domain/money/amount'
import { type Exponent, fits, fromUnits, toUnits } from '../units.ts'

/** Amounts are sent in 10^-`exponent` of the unit and must not have more than `decimals` decimals. */
interface CurrencyRule {
  exponent: Exponent
  decimals: Exponent
}

const rule = (exponent: Exponent, decimals: Exponent = exponent): CurrencyRule => ({ exponent, decimals })

/** Source: Stripe's page "Supported currencies", including zero-decimal, three-decimal and special cases. */
const rules = new Map<string, CurrencyRule>([
  ...(
    'USD AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP ' +
    'CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS ' +
    'KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB ' +
    'PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS ' +
    'UAH UYU UZS WST XCD YER ZAR ZMW'
  )
    .split(' ')
    .map((code): [string, CurrencyRule] => [code, rule(2)]),
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, CurrencyRule] => [code, rule(0)]),
  // No decimals, but sent as if there were two.
  ...'ISK UGX'.split(' ').map((code): [string, CurrencyRule] => [code, rule(2, 0)]),
  // Three decimals, the last always 0.
  ...'BHD JOD KWD OMR TND'.split(' ').map((code): [string, CurrencyRule] => [code, rule(3, 2)]),
])

/** The maximum charge: eight digits of the smallest unit. */
const mostUnits = 99_999_999

/** Whether an amount of a currency can be charged. */
export function canCharge(currency: string, amount: Amount): boolean {
  const found = rules.get(currency)
  if (found === undefined || amount <= 0 || !fits(amount, found.decimals)) return false
  return toUnits(amount, found.exponent) <= mostUnits
}

/** The amount in Stripe's unit. Throws RangeError if it cannot be represented. */
export function stripeUnits(currency: string, amount: Amount): number {
  const found = rules.get(currency)
  if (found === undefined || !fits(amount, found.decimals))
    throw new RangeError(`not a valid amount in ${currency}`)
  return toUnits(amount, found.exponent)
}

/** The amount from Stripe's unit. Unknown currencies are read with two decimals. */
export function fromStripeUnits(currency: string, units: number): Amount {
  return fromUnits(units, rules.get(currency)?.exponent ?? 2)
}
