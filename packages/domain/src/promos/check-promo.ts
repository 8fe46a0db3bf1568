import type { FieldError } from '../error-keys.ts'
import type { Promo } from '../fare/promo.ts'
import { amountProblem, percentageProblem } from '../money/check-amount.ts'

/** What the office says of a promo; how often it was used is counted by bookings. */
export interface PromoFields extends Omit<Promo, 'id' | 'user_avail'> {
  promo_description: string
}

export const promoLimits = { name: 40, description: 200, uses: 1_000_000_000 } as const

/** How often the promo has been used, and the moment it is added, epoch ms; `now` is null for one that is changed. */
export interface PromoState {
  user_avail: number
  now: number | null
}

/**
 * All that is wrong with a promo, by field. One that is added must not be over already; one that is changed may be ended
 * by a date in the past. A flat value above its own cap would never be given, and a limit below the uses so far cannot be
 * kept. Whether the name is taken is for whoever knows the others.
 */
export function promoProblems(fields: PromoFields, { user_avail, now }: PromoState): FieldError[] {
  const problems: FieldError[] = []
  const add = (field: keyof PromoFields, error: FieldError['error'] | null) => {
    if (error !== null) problems.push({ field, error })
  }
  add('promo_name', nameProblem(fields.promo_name))
  add('promo_description', fields.promo_description.length > promoLimits.description ? 'too_long' : null)
  add('promo_discount_value', valueProblem(fields))
  add('max_promo_discount_value', amountProblem(fields.max_promo_discount_value) ?? capProblem(fields))
  add('min_order', amountProblem(fields.min_order))
  add('promo_validity', now !== null && fields.promo_validity <= now ? 'in_the_past' : null)
  add('promo_usage_limit', limitProblem(fields.promo_usage_limit, user_avail))
  return problems
}

function nameProblem(name: string): FieldError['error'] | null {
  if (!/\S/.test(name)) return 'required'
  return name.trim().length > promoLimits.name ? 'too_long' : null
}

function valueProblem({ promo_discount_type, promo_discount_value }: PromoFields) {
  if (promo_discount_value === 0) return 'not_above_zero'
  return (promo_discount_type === 'flat' ? amountProblem : percentageProblem)(promo_discount_value)
}

function capProblem(fields: PromoFields): FieldError['error'] | null {
  const { promo_discount_type, promo_discount_value, max_promo_discount_value: cap } = fields
  return promo_discount_type === 'flat' && cap > 0 && promo_discount_value > cap ? 'above_cap' : null
}

function limitProblem(limit: number, uses: number): FieldError['error'] | null {
  if (!Number.isSafeInteger(limit)) return 'wrong_type'
  if (limit < 1 || limit > promoLimits.uses) return 'out_of_range'
  return limit < uses ? 'below_uses' : null
}
