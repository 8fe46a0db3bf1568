import type { Exponent } from '../units.ts'

export const payuCountries = ['AR', 'BR', 'CL', 'CO', 'MX', 'PA', 'PE'] as const
export type PayuCountry = (typeof payuCountries)[number]

/** The country whose account accepts a currency, and its decimals. Source: PayU Latam documentation. */
export const payuCurrencies: Readonly<Record<string, { country: PayuCountry; decimals: Exponent }>> = {
  ARS: { country: 'AR', decimals: 2 },
  BRL: { country: 'BR', decimals: 2 },
  CLP: { country: 'CL', decimals: 0 },
  COP: { country: 'CO', decimals: 2 },
  MXN: { country: 'MX', decimals: 2 },
  PEN: { country: 'PE', decimals: 2 },
  USD: { country: 'PA', decimals: 2 },
}
