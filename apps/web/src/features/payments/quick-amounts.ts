import { type Amount, unit } from '@hansom/domain/money/amount'

/**
 * Suggested top-up amounts: about four, ten and twenty of the cheapest trips, as round numbers of 10^-4 of the currency
 * unit. Without prices, a trip is assumed to cost five units.
 */
export function quickAmounts(cheapestTrip: Amount | undefined): Amount[] {
  const trip = cheapestTrip !== undefined && cheapestTrip > 0 ? cheapestTrip : 5 * unit
  return [4, 10, 20].map((trips) => roundUp(trips * trip))
}

/** Rounds up to 1, 2, 5, 10, 20, 50 and so on of the currency unit. */
function roundUp(amount: Amount): Amount {
  const units = Math.max(1, amount / unit)
  const power = 10 ** Math.floor(Math.log10(units))
  const step = [1, 2, 5, 10].find((times) => times * power >= units - 1e-9) ?? 10
  return step * power * unit
}
