import type { PromoDetails } from '../bookings/booking.ts'
import { Refusal } from '../error-keys.ts'
import { type Amount, percentOf, roundTo } from '../money/amount.ts'

/** A stored promo. */
export interface Promo extends PromoDetails {
  id: string
  /** Last time it may be used, epoch ms. */
  promo_validity: number
  /** Total number of bookings that may use it. */
  promo_usage_limit: number
  /** Number of bookings that have used or reserved it. */
  user_avail: number
}

/** A promo to apply to a booking. */
export interface WantedPromo extends Promo {
  /** Number of this rider's bookings that have used or reserved it; undefined for a visitor. */
  used_by_rider?: number
}

/**
 * The discount of a promo on a trip cost, rounded to `decimal` digits, never more than the trip cost. 0 below
 * `min_order`. A `max_promo_discount_value` of 0 is no limit.
 */
export function promoDiscount(promo: PromoDetails, tripCost: Amount, decimal: number): Amount {
  if (tripCost < promo.min_order) return 0
  const value =
    promo.promo_discount_type === 'flat'
      ? promo.promo_discount_value
      : percentOf(tripCost, promo.promo_discount_value)
  const capped = promo.max_promo_discount_value > 0 ? Math.min(value, promo.max_promo_discount_value) : value
  return Math.max(0, Math.min(roundTo(capped, decimal), tripCost))
}

/**
 * Why a promo does not apply: unknown code, expired, used up in total or by this rider, or the trip cost is too low.
 */
export type PromoProblem = 'unknown' | 'expired' | 'used_up' | 'used_by_rider' | 'below_minimum'

/**
 * Why a booking of `tripCost` cannot use the promo now; null when it can. `held` means this booking has already
 * reserved it.
 */
export function promoProblem(
  promo: WantedPromo,
  tripCost: Amount,
  now: number,
  held = false,
): Exclude<PromoProblem, 'unknown'> | null {
  if (now > promo.promo_validity) return 'expired'
  if (!held && promo.user_avail >= promo.promo_usage_limit) return 'used_up'
  if (!held && (promo.used_by_rider ?? 0) >= maxUsesPerRider(promo.promo_usage_limit)) return 'used_by_rider'
  return tripCost < promo.min_order ? 'below_minimum' : null
}

/** The refusal of a promo with its reason; null when the booking can use it. Otherwise like `promoProblem`. */
export function promoRefusal(
  promo: WantedPromo,
  tripCost: Amount,
  now: number,
  held = false,
): Refusal | null {
  const why = promoProblem(promo, tripCost, now, held)
  if (why === null) return null
  const { min_order } = promo
  return new Refusal('promo_not_valid', { data: why === 'below_minimum' ? { why, min_order } : { why } })
}

/** The refusal of an unknown code. */
export function unknownPromo(): Refusal {
  const why: PromoProblem = 'unknown'
  return new Refusal('promo_not_valid', { data: { why } })
}

/** The most uses of a promo by one rider: never all of them, unless it has only one. */
export function maxUsesPerRider(promo_usage_limit: number): number {
  return Math.max(1, Math.min(5, Math.floor(promo_usage_limit / 2)))
}

/** The terms of a promo copied to a booking. */
export function promoDetails(promo: Promo): PromoDetails {
  return {
    promo_name: promo.promo_name,
    promo_discount_type: promo.promo_discount_type,
    promo_discount_value: promo.promo_discount_value,
    max_promo_discount_value: promo.max_promo_discount_value,
    min_order: promo.min_order,
  }
}
