import { toCityUnit } from '../geo/distance-unit.ts'
import { type Amount, percentOf, roundTo, toAmount } from '../money/amount.ts'

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

/** A parcel type or an option of a car type: `amount` is added to the fare of a delivery that has it. */
export interface Extra {
  description: string
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
  /** What a return leg costs, with its fee; 0 unless a drop has failed. Absent in bookings made before deliveries. */
  return_leg?: Amount
  trip_cost: Amount
  /** Without the fee of a return leg. */
  convenience_fees: Amount
  driver_share: Amount
}

/**
 * The fare of a trip. `distanceKm` is km, `seconds` the driving time, `extras` the sum of parcel type and option.
 *
 * fare = max(min_fare, base_fare + rate x distance + rate x hours + extras); the fee is flat or a percentage of the
 * fare; trip_cost = round(fare + fee), convenience_fees = round(fee), both half away from zero to `units.decimal`
 * digits; the driver gets the rest, so trip_cost = driver_share + convenience_fees always. The lines of the receipt
 * (base, distance, time, extras, minimum_top_up) add up to driver_share to the last digit. Throws RangeError for a
 * negative or invalid distance or time.
 */
export function fareFor(
  rule: FareRule,
  distanceKm: number,
  seconds: number,
  extras: Amount,
  units: FareUnits,
): FareParts {
  if (!(distanceKm >= 0) || !(seconds >= 0)) throw new RangeError('distance and time must be zero or more')
  const base = Math.max(0, rule.base_fare)
  const distance = toAmount(rule.rate_per_unit_distance * toCityUnit(distanceKm, units.convert_to_mile))
  const time = toAmount((rule.rate_per_hour * seconds) / 3600)
  const counted = base + distance + time + extras
  const fare = Math.max(rule.min_fare, counted)
  const fee =
    rule.convenience_fee_type === 'flat' ? rule.convenience_fees : percentOf(fare, rule.convenience_fees)

  const trip_cost = roundTo(fare + fee, units.decimal)
  const convenience_fees = roundTo(fee, units.decimal)
  const driver_share = trip_cost - convenience_fees
  const lines = apportion([base, distance, time, extras, fare - counted], driver_share, units.decimal)
  return {
    base: lines[0] ?? 0,
    distance: lines[1] ?? 0,
    time: lines[2] ?? 0,
    extras: lines[3] ?? 0,
    minimum_top_up: lines[4] ?? 0,
    trip_cost,
    convenience_fees,
    driver_share,
  }
}

/**
 * Rounds each part so that together they equal `total`: the running sum is rounded, not the part, and the last part
 * that is not zero gets the rest.
 */
export function apportion(parts: readonly number[], total: Amount, decimal: number): Amount[] {
  const last = Math.max(
    0,
    parts.findLastIndex((part) => part !== 0),
  )
  let exact = 0
  let given = 0
  return parts.map((part, index) => {
    exact += part
    const upTo = index >= last ? total : Math.min(total, roundTo(exact, decimal))
    const line = upTo - given
    given = upTo
    return line
  })
}
