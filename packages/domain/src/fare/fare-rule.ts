import type { Amount } from '../money/amount.ts'

/** What a car type costs. It is copied to the booking, so a later change of prices leaves running trips alone. */
export interface FareRule {
  base_fare: Amount
  /** Per km, or per mile where the city counts miles. */
  rate_per_unit_distance: Amount
  rate_per_hour: Amount
  min_fare: Amount
  /** An amount when `convenience_fee_type` is flat, a percentage scaled by 10^4 otherwise. */
  convenience_fees: number
  convenience_fee_type: 'flat' | 'percentage'
}

/** One step of the cancellation fee: from `minsDelayed` minutes after acceptance, `amount` is due. */
export interface CancelSlab {
  minsDelayed: number
  amount: Amount
}

/** How a city counts: digits of the currency shown and rounded to, and its unit of distance. */
export interface FareUnits {
  decimal: number
  convert_to_mile: boolean
}

/** The parts of a fare. `distance`, `time` and `base` are what was counted before the minimum was applied. */
export interface FareParts {
  base: Amount
  distance: Amount
  time: Amount
  extras: Amount
  /** What was added to reach `min_fare`; 0 when the fare is above it. */
  minimum_top_up: Amount
  trip_cost: Amount
  convenience_fees: Amount
  driver_share: Amount
}
