import { type FareParts, type FareRule, type FareUnits, fareFor } from '../fare/fare.ts'
import type { Amount } from '../money/amount.ts'

/**
 * The cost of driving failed drops back from the last drop to the pickup: `distanceKm` km in `seconds` at the car
 * type's rates. The booking has paid the base fare, the minimum and a flat convenience fee already; a percentage fee
 * applies. Rounds as `fareFor`, so `cost` = `driver_share` + `convenience_fees`, and throws RangeError as it does.
 */
export function returnCost(
  rule: FareRule,
  distanceKm: number,
  seconds: number,
  units: FareUnits,
): { cost: Amount } & Pick<FareParts, 'convenience_fees' | 'driver_share'> {
  const convenience_fees = rule.convenience_fee_type === 'flat' ? 0 : rule.convenience_fees
  const rates: FareRule = { ...rule, base_fare: 0, min_fare: 0, convenience_fees }
  const leg = fareFor(rates, distanceKm, seconds, 0, units)
  return { cost: leg.trip_cost, convenience_fees: leg.convenience_fees, driver_share: leg.driver_share }
}
