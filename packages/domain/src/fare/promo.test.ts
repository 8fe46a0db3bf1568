import { expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { type Promo, promoDiscount, promoProblem, promoRefusal, unknownPromo } from './promo.ts'

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

it('promo: percentage -> up to the maximum', () => {
  expect(promoDiscount(promo, 110 * unit, 0)).toBe(11 * unit)
  expect(promoDiscount(promo, 1110 * unit, 0)).toBe(15 * unit)
  expect(promoDiscount({ ...promo, max_promo_discount_value: 0 }, 1110 * unit, 0)).toBe(111 * unit)
})

it('promo: below the minimum order -> no discount', () => {
  expect(promoDiscount(promo, 49 * unit, 0)).toBe(0)
})

it('promo: above the trip cost -> at most the trip cost', () => {
  const flat: Promo = { ...promo, promo_discount_type: 'flat', promo_discount_value: 200 * unit }
  expect(promoDiscount({ ...flat, max_promo_discount_value: 0, min_order: 0 }, 110 * unit, 0)).toBe(
    110 * unit,
  )
})

it('promo: discount -> rounded to the digits of the currency', () => {
  expect(promoDiscount(promo, 55 * unit, 0)).toBe(6 * unit)
  expect(promoDiscount(promo, 55 * unit, 1)).toBe(5.5 * unit)
})

it('promo: expired or used up -> refused with the reason, unless already reserved', () => {
  const why = (cost: number, now: number, more: Partial<Promo> = {}, held = false) =>
    promoProblem({ ...promo, ...more }, cost * unit, now, held)
  expect(why(60, 1000)).toBe(null)
  expect(why(60, 1001)).toBe('expired')
  expect(why(40, 1000)).toBe('below_minimum')
  expect(why(60, 1000, { user_avail: 2 })).toBe('used_up')
  expect(why(60, 1000, { user_avail: 2 }, true)).toBe(null)
})

it('promo: refused -> the reason, and the minimum trip cost', () => {
  expect(promoRefusal(promo, 60 * unit, 1000)).toBe(null)
  expect(promoRefusal(promo, 40 * unit, 1000)).toMatchObject({
    key: 'promo_not_valid',
    data: { why: 'below_minimum', min_order: 50 * unit },
  })
  expect(promoRefusal(promo, 60 * unit, 1001)?.data).toEqual({ why: 'expired' })
  expect(unknownPromo().data).toEqual({ why: 'unknown' })
})
