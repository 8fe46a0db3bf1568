import type { FieldError } from '../error-keys.ts'
import type { Promo } from '../fare/promo.ts'
import { amountProblem, percentageProblem } from '../money/amount.ts'

/** The fields of a promo as entered by an admin; its uses are counted by bookings. */
export interface PromoFields extends Omit<Promo, 'id' | 'user_avail'> {
  promo_description: string
}

export const promoLimits = { name: 40, description: 200, uses: 1_000_000_000 } as const

/** Uses of the promo so far, and the time it is created, epoch ms; `now` is null for a change. */
export interface PromoState {
  user_avail: number
  now: number | null
}

/**
 * All problems of a promo, by field. A new promo must not have expired; an existing one may be ended by a date in the
 * past. A flat discount above its maximum could never be given, and a limit below the uses so far could not be kept.
 * Duplicate names are checked by the caller, who has the other promos.
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
