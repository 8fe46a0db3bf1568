import { expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { isPromoUsable, type Promo, promoDiscount } from './promo.ts'

const promo: Promo = {
  id: 'p',
  promo_name: 'TEN',
  promo_discount_type: 'percentage',
  promo_discount_value: 10 * unit,
  max_promo_discount_value: 15 * unit,
  min_order: 50 * unit,
  promo_validity: 1000,
  promo_usage_limit: 2,
  user_avail: 1,
}

it('takes a percentage up to the limit', () => {
  expect(promoDiscount(promo, 110 * unit, 0)).toBe(11 * unit)
  expect(promoDiscount(promo, 1110 * unit, 0)).toBe(15 * unit)
  expect(promoDiscount({ ...promo, max_promo_discount_value: 0 }, 1110 * unit, 0)).toBe(111 * unit)
})

it('takes nothing below the minimum order', () => {
  expect(promoDiscount(promo, 49 * unit, 0)).toBe(0)
})

it('never takes more than the trip costs', () => {
  const flat: Promo = { ...promo, promo_discount_type: 'flat', promo_discount_value: 200 * unit }
  expect(promoDiscount({ ...flat, max_promo_discount_value: 0, min_order: 0 }, 110 * unit, 0)).toBe(
    110 * unit,
  )
})

it('rounds to the digits of the currency', () => {
  expect(promoDiscount(promo, 55 * unit, 0)).toBe(6 * unit)
  expect(promoDiscount(promo, 55 * unit, 1)).toBe(5.5 * unit)
})

it('ends with its validity and its usage limit, but not for who holds it', () => {
  expect(isPromoUsable(promo, 60 * unit, 1000)).toBe(true)
  expect(isPromoUsable(promo, 60 * unit, 1001)).toBe(false)
  expect(isPromoUsable(promo, 40 * unit, 1000)).toBe(false)
  expect(isPromoUsable({ ...promo, user_avail: 2 }, 60 * unit, 1000)).toBe(false)
  expect(isPromoUsable({ ...promo, user_avail: 2 }, 60 * unit, 1000, true)).toBe(true)
})
