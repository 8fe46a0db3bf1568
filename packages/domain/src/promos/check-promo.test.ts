import { expect, test } from 'vitest'
import { unit } from '../money/amount.ts'
import { type PromoFields, promoProblems } from './check-promo.ts'

const now = 1_000
const promo: PromoFields = {
  promo_name: 'RAMBLA50',
  promo_description: '',
  promo_discount_type: 'flat',
  promo_discount_value: 50 * unit,
  max_promo_discount_value: 50 * unit,
  min_order: 0,
  promo_validity: now + 1,
  promo_usage_limit: 10,
}
const added = { user_avail: 0, now }
const changed = { user_avail: 4, now: null }

test('promo: complete -> no problems', () => {
  expect(promoProblems(promo, added)).toEqual([])
  expect(promoProblems({ ...promo, max_promo_discount_value: 0 }, added)).toEqual([])
  const percent = { promo_discount_type: 'percentage', promo_discount_value: 100 * unit } as const
  expect(promoProblems({ ...promo, ...percent }, added)).toEqual([])
})

test.each([
  ['promo_name', { promo_name: '' }, 'required'],
  ['promo_name', { promo_name: 'x'.repeat(41) }, 'too_long'],
  ['promo_description', { promo_description: 'x'.repeat(201) }, 'too_long'],
  ['promo_discount_value', { promo_discount_value: 0 }, 'not_above_zero'],
  ['promo_discount_value', { promo_discount_value: -1 }, 'below_zero'],
  [
    'promo_discount_value',
    { promo_discount_type: 'percentage', promo_discount_value: 100 * unit + 1 },
    'not_a_percentage',
  ],
  ['max_promo_discount_value', { max_promo_discount_value: 49 * unit }, 'above_cap'],
  ['max_promo_discount_value', { max_promo_discount_value: -1 }, 'below_zero'],
  ['min_order', { min_order: -1 }, 'below_zero'],
  ['promo_usage_limit', { promo_usage_limit: 0 }, 'out_of_range'],
  ['promo_usage_limit', { promo_usage_limit: 1.5 }, 'wrong_type'],
  ['promo_validity', { promo_validity: now }, 'in_the_past'],
] as const)('promo: %s with %j -> refused', (field, change, error) => {
  expect(promoProblems({ ...promo, ...change }, added)).toEqual([{ field, error }])
})

test('promo: limit below the uses so far -> refused', () => {
  expect(promoProblems({ ...promo, promo_usage_limit: 4 }, changed)).toEqual([])
  expect(promoProblems({ ...promo, promo_usage_limit: 3 }, changed)).toEqual([
    { field: 'promo_usage_limit', error: 'below_uses' },
  ])
})

test('promo: changed to a date in the past -> allowed, ends it', () => {
  expect(promoProblems({ ...promo, promo_validity: now - 1 }, changed)).toEqual([])
})
