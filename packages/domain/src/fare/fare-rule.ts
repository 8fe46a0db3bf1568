import type { Amount } from '../money/amount.ts'

/** The prices of a car type. Copied to the booking, so later price changes do not affect running trips. */
export interface FareRule {
  base_fare: Amount
  /** Per km, or per mile in a city that uses miles. */
  rate_per_unit_distance: Amount
  rate_per_hour: Amount
  min_fare: Amount
  /** An amount when `convenience_fee_type` is flat, a percentage scaled by 10^4 otherwise. */
  convenience_fees: number
  convenience_fee_type: 'flat' | 'percentage'
}

/** One step of the cancellation fee: from `minsDelayed` minutes after acceptance, the fee is `amount`. */
export interface CancelSlab {
  minsDelayed: number
  amount: Amount
}

/** A city's units: decimal digits of the currency, and the unit of distance. */
export interface FareUnits {
  decimal: number
  convert_to_mile: boolean
}

/** The parts of a fare. `distance`, `time` and `base` are the values before the minimum is applied. */
export interface FareParts {
  base: Amount
  distance: Amount
  time: Amount
  extras: Amount
  /** Amount added to reach `min_fare`; 0 when the fare is above it. */
  minimum_top_up: Amount
  trip_cost: Amount
  convenience_fees: Amount
  driver_share: Amount
}
