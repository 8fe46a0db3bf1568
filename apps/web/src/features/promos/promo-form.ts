import type { PromoView } from '@hansom/contract/promos'
import { type PromoFields, promoProblems } from '@hansom/domain/promos/check-promo'
import { unit } from '@hansom/domain/money/amount'
import type { TypedField, TypedFields } from '../../ui/use-typed-fields.ts'
import { endOfDay } from './end-of-day.ts'

export type PromoField = keyof PromoFields

/** The fields of a promo as they are typed at first; of a new one when null. */
export function typedPromo(promo: PromoView | null): Record<PromoField, TypedField> {
  return {
    promo_name: { kind: 'text', value: promo?.promo_name ?? '' },
    promo_description: { kind: 'text', value: promo?.promo_description ?? '' },
    promo_discount_type: { kind: 'choice', value: promo?.promo_discount_type ?? 'percentage' },
    // A percentage has the scale of an amount.
    promo_discount_value: { kind: 'amount', value: promo?.promo_discount_value ?? 10 * unit },
    max_promo_discount_value: { kind: 'amount', value: promo?.max_promo_discount_value || null },
    min_order: { kind: 'amount', value: promo?.min_order || null },
    promo_validity: { kind: 'date', value: promo?.promo_validity ?? null },
    promo_usage_limit: { kind: 'number', value: promo?.promo_usage_limit ?? 100 },
  }
}

/** What stands in the form as a promo: numbers that are none as NaN, an empty limit as none. */
export function readPromo(fields: TypedFields<PromoField>, timezone: string): PromoFields {
  const number = (name: PromoField) => Number(fields.value(name) ?? Number.NaN)
  const orNone = (name: PromoField) => (fields.text(name).trim() === '' ? 0 : number(name))
  const day = fields.value('promo_validity')
  return {
    promo_name: fields.text('promo_name'),
    promo_description: fields.text('promo_description'),
    promo_discount_type: fields.text('promo_discount_type') === 'flat' ? 'flat' : 'percentage',
    promo_discount_value: number('promo_discount_value'),
    max_promo_discount_value: orNone('max_promo_discount_value'),
    min_order: orNone('min_order'),
    promo_validity: typeof day === 'number' ? endOfDay(day, timezone) : Number.NaN,
    promo_usage_limit: number('promo_usage_limit'),
  }
}

/** What is wrong, by field: the end of a text key. `now` is null for a promo that is changed. */
export function problemsOf(
  draft: PromoFields,
  state: { user_avail: number; now: number | null },
  isEmpty: (field: PromoField) => boolean,
): Partial<Record<PromoField, string>> {
  const problems = Object.fromEntries(
    promoProblems(draft, state).map(({ field, error }) => [
      field,
      error === 'wrong_type' && isEmpty(field as PromoField) ? 'required' : error,
    ]),
  )
  return Number.isNaN(draft.promo_validity) ? { ...problems, promo_validity: 'required' } : problems
}
