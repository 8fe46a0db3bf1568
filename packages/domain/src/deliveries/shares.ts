import { apportion } from '../fare/fare.ts'
import type { Amount } from '../money/amount.ts'

/**
 * Splits the fare of a delivery over its drops, in proportion to the leg driven to reach each drop. `legs` are in
 * visiting order, all metres or all seconds; `decimal` is the currency's number of digits.
 *
 * Each share is less than one smallest coin away from its exact part, and together they equal `total`. Without any
 * distance, every drop gets the same part. Throws RangeError for no legs, a negative or invalid leg or total.
 */
export function shareFare(total: Amount, legs: readonly number[], decimal: number): Amount[] {
  if (!(total >= 0)) throw new RangeError('the total must be zero or more')
  if (legs.length === 0 || !legs.every((leg) => leg >= 0 && Number.isFinite(leg)))
    throw new RangeError('each leg must be zero or more')
  const sum = legs.reduce((upTo, leg) => upTo + leg, 0)
  const parts = legs.map((leg) => total * (sum > 0 ? leg / sum : 1 / legs.length))
  return apportion(parts, total, decimal)
}
