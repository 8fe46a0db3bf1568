import { expect, test } from 'vitest'
import { maxPrice, unit } from '../money/amount.ts'
import { type CarTypeFields, carTypeProblems, extraProblems, slabProblems } from './check-car-type.ts'

const economy: CarTypeFields = {
  name: 'Economy',
  base_fare: 20 * unit,
  rate_per_unit_distance: 10 * unit,
  rate_per_hour: 60 * unit,
  min_fare: 50 * unit,
  convenience_fees: 10 * unit,
  convenience_fee_type: 'percentage',
  extra_info: '',
  seats: 4,
  position: 0,
  cancelSlab: [],
  parcelTypes: [],
  options: [],
  translations: {},
}

test('car type: complete -> no problems', () => {
  expect(carTypeProblems(economy)).toEqual([])
  expect(carTypeProblems({ ...economy, base_fare: 0, min_fare: maxPrice })).toEqual([])
})

test.each([
  ['name', { name: ' ' }, 'required'],
  ['name', { name: 'x'.repeat(41) }, 'too_long'],
  ['base_fare', { base_fare: -1 }, 'below_zero'],
  ['rate_per_unit_distance', { rate_per_unit_distance: -1 }, 'below_zero'],
  ['rate_per_hour', { rate_per_hour: 0.5 }, 'wrong_type'],
  ['min_fare', { min_fare: maxPrice + 1 }, 'out_of_range'],
  ['convenience_fees', { convenience_fees: 100 * unit + 1 }, 'not_a_percentage'],
  ['convenience_fees', { convenience_fees: -1, convenience_fee_type: 'flat' }, 'below_zero'],
  ['extra_info', { extra_info: 'x'.repeat(201) }, 'too_long'],
  ['seats', { seats: 0 }, 'out_of_range'],
  ['position', { position: -1 }, 'out_of_range'],
  ['translations.ar.name', { translations: { ar: { name: 'x'.repeat(41) } } }, 'too_long'],
] as const)('car type: %s with %j -> refused', (field, change, error) => {
  expect(carTypeProblems({ ...economy, ...change })).toEqual([{ field, error }])
})

test('convenience fee: flat above 100 -> allowed', () => {
  const flat = { convenience_fees: 150 * unit, convenience_fee_type: 'flat' } as const
  expect(carTypeProblems({ ...economy, ...flat })).toEqual([])
})

test('cancellation slabs: minutes not rising -> refused', () => {
  const slab = (minsDelayed: number, amount = unit) => ({ minsDelayed, amount })
  expect(slabProblems([slab(0), slab(2), slab(10)])).toEqual([])
  expect(slabProblems([slab(2), slab(2), slab(1)])).toEqual([
    { field: 'cancelSlab.1.minsDelayed', error: 'not_ascending' },
    { field: 'cancelSlab.2.minsDelayed', error: 'not_ascending' },
  ])
  expect(slabProblems([slab(-1), slab(2, -1)])).toEqual([
    { field: 'cancelSlab.0.minsDelayed', error: 'out_of_range' },
    { field: 'cancelSlab.1.amount', error: 'below_zero' },
  ])
  expect(slabProblems(Array.from({ length: 11 }, (_, line) => slab(line)))).toEqual([
    { field: 'cancelSlab', error: 'too_long' },
  ])
})

test('parcel types and options: distinct, described and priced -> allowed; otherwise refused by line', () => {
  const extra = (description: string, amount = unit) => ({ description, amount })
  expect(extraProblems('parcelTypes', [extra('Documents', 0), extra('Box')])).toEqual([])
  const wrong = [extra('Box'), extra(' box '), extra(' ', -1), extra('x'.repeat(61))]
  expect(extraProblems('options', wrong)).toEqual([
    { field: 'options.1.description', error: 'taken' },
    { field: 'options.2.description', error: 'required' },
    { field: 'options.2.amount', error: 'below_zero' },
    { field: 'options.3.description', error: 'too_long' },
  ])
  const many = Array.from({ length: 31 }, (_, line) => extra(`Box ${line}`))
  expect(carTypeProblems({ ...economy, parcelTypes: many })).toEqual([
    { field: 'parcelTypes', error: 'too_long' },
  ])
})

test('parcel types: a translation that is too long, or in no locale -> an error at its line', () => {
  const translations = { es: { description: 'x'.repeat(61) }, AR: {} }
  expect(extraProblems('parcelTypes', [{ description: 'Letter', amount: 0, translations }])).toEqual([
    { field: 'parcelTypes.0.translations.es.description', error: 'too_long' },
    { field: 'parcelTypes.0.translations.AR', error: 'not_a_locale' },
  ])
})
