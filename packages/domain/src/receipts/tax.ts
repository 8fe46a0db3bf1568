import { type Amount, roundTo, unit } from '../money/amount.ts'

/** The tax of an installation: its name, and its rates in percent scaled by 10^4. */
export interface TaxRates {
  /** Empty when receipts show no tax. */
  name: string
  fare_rate: number
  fee_rate: number
}

/** The tax contained in a part of the price: `base` is the part without tax. */
export interface TaxLine {
  name: string
  /** Percent scaled by 10^4. */
  rate: number
  base: Amount
  amount: Amount
}

interface Price {
  status: string
  /** The amount due: the trip cost minus the discount, or a cancellation fee. */
  due: Amount
  trip_cost: Amount
  convenience_fees: Amount
  decimal: number
}

/**
 * The tax that the amount due contains, by rate. A discount reduces the ride and the booking fee in proportion, and a
 * cancellation fee is taxed as a ride. Base and tax of all lines add up to the amount due.
 */
export function taxLines(
  { status, due, trip_cost, convenience_fees, decimal }: Price,
  rates: TaxRates,
): TaxLine[] {
  if (rates.name === '' || due <= 0) return []
  const isTrip = status !== 'CANCELLED' && trip_cost > 0
  const fee = isTrip ? roundTo((due * convenience_fees) / trip_cost, decimal) : 0
  const parts = new Map<number, Amount>()
  for (const [rate, gross] of [
    [rates.fare_rate, due - fee],
    [rates.fee_rate, fee],
  ] as const) {
    if (gross > 0) parts.set(rate, (parts.get(rate) ?? 0) + gross)
  }
  return [...parts].map(([rate, gross]) => {
    const amount = roundTo((gross * rate) / (100 * unit + rate), decimal)
    return { name: rates.name, rate, base: gross - amount, amount }
  })
}

/** The number printed on a receipt: `H-2026-000042`. */
export function receiptSerial(prefix: string, year: number, number: number): string {
  return [...(prefix === '' ? [] : [prefix]), year, String(number).padStart(6, '0')].join('-')
}
