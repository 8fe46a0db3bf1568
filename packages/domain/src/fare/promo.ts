import type { PromoDetails } from '../bookings/booking.ts'
import { Refusal } from '../error-keys.ts'
import { type Amount, percentOf, roundTo } from '../money/amount.ts'

/** A promo as the platform keeps it. */
export interface Promo extends PromoDetails {
  id: string
  /** Last moment it may be used, epoch ms. */
  promo_validity: number
  /** How many bookings may use it in all. */
  promo_usage_limit: number
  /** How many bookings have used or reserved it. */
  user_avail: number
}

/** A promo that somebody wants to use. */
export interface WantedPromo extends Promo {
  /** How many bookings of this rider have used or reserved it; missing where nobody in particular asks. */
  used_by_rider?: number
}

/**
 * What a promo takes off a trip cost, rounded to `decimal` digits, never more than the trip cost. Nothing below
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

/** Why a promo does not apply: there is none by that code, it has ended, it is used up, by all or by this rider, or the trip costs too little. */
export type PromoProblem = 'unknown' | 'expired' | 'used_up' | 'used_by_rider' | 'below_minimum'

/**
 * Why a booking of `tripCost` may not take the promo now; null when it may. `held` says that this booking has reserved
 * it already.
 */
export function promoProblem(
  promo: WantedPromo,
  tripCost: Amount,
  now: number,
  held = false,
): Exclude<PromoProblem, 'unknown'> | null {
  if (now > promo.promo_validity) return 'expired'
  if (!held && promo.user_avail >= promo.promo_usage_limit) return 'used_up'
  if (!held && (promo.used_by_rider ?? 0) >= mostPromoUses(promo.promo_usage_limit)) return 'used_by_rider'
  return tripCost < promo.min_order ? 'below_minimum' : null
}

/** The refusal of a promo with its reason; null when the booking may take it. As `promoProblem` otherwise. */
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

/** The refusal of a code that no promo has. */
export function unknownPromo(): Refusal {
  const why: PromoProblem = 'unknown'
  return new Refusal('promo_not_valid', { data: { why } })
}

/** How many of a promo's uses one rider may have: never all of them, unless there is but one. */
export function mostPromoUses(promo_usage_limit: number): number {
  return Math.max(1, Math.min(5, Math.floor(promo_usage_limit / 2)))
}

/** What a booking remembers of a promo. */
export function promoDetails(promo: Promo): PromoDetails {
  return {
    promo_name: promo.promo_name,
    promo_discount_type: promo.promo_discount_type,
    promo_discount_value: promo.promo_discount_value,
    max_promo_discount_value: promo.max_promo_discount_value,
    min_order: promo.min_order,
  }
}
