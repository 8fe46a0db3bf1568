import { type Amount, unit } from '@hansom/domain/money/amount'

/** Units of a currency that buy about as much as one Uruguayan peso, rounded, in November 2026; for demo prices only. */
const perPeso: Record<string, number> = {
  AED: 0.092,
  ARS: 35,
  AUD: 0.038,
  BRL: 0.14,
  CAD: 0.034,
  CHF: 0.04,
  CLP: 24,
  CNY: 0.18,
  COP: 100,
  CZK: 0.6,
  DKK: 0.18,
  EGP: 1.2,
  EUR: 0.025,
  GBP: 0.021,
  HUF: 9,
  IDR: 400,
  ILS: 0.1,
  INR: 2,
  JPY: 4,
  KES: 3.2,
  KRW: 35,
  MAD: 0.24,
  MXN: 0.46,
  MYR: 0.11,
  NGN: 38,
  NOK: 0.27,
  NZD: 0.043,
  PHP: 1.4,
  PKR: 7,
  PLN: 0.1,
  RON: 0.12,
  RUB: 2.2,
  SAR: 0.094,
  SEK: 0.27,
  SGD: 0.034,
  THB: 0.85,
  TRY: 1,
  TWD: 0.8,
  UAH: 1.05,
  USD: 0.025,
  UYU: 1,
  VND: 640,
  ZAR: 0.45,
}

/** Converts a price of the demo in Montevideo to an amount in another currency, rounded to two digits. */
export type DemoPrices = (pesos: number) => Amount

export function demoPrices(currency: string): DemoPrices {
  const rate = perPeso[currency] ?? (perPeso.USD as number)
  if (rate === 1) return (pesos) => pesos * unit
  return (pesos) => Math.round(Number((pesos * rate).toPrecision(2)) * unit)
}
