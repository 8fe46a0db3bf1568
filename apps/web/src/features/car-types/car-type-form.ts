import type { AdminCarType } from '@hansom/contract/car-types'
import { type CarTypeFields, carTypeProblems } from '@hansom/domain/car-types/check-car-type'
import { unit } from '@hansom/domain/money/amount'
import type { TypedField, TypedFields } from '../../ui/use-typed-fields.ts'
import type { SlabRow } from './slab-rows.ts'

export type CarTypeField =
  | 'name'
  | 'extra_info'
  | 'seats'
  | 'position'
  | 'base_fare'
  | 'rate_per_unit_distance'
  | 'rate_per_hour'
  | 'min_fare'
  | 'convenience_fees'
  | 'convenience_fee_type'

/** The fields of a car type as they are typed at first; of a new one when null. People count places from 1. */
export function typedCarType(carType: AdminCarType | null): Record<CarTypeField, TypedField> {
  return {
    name: { kind: 'text', value: carType?.name ?? '' },
    extra_info: { kind: 'text', value: carType?.extra_info ?? '' },
    seats: { kind: 'number', value: carType?.seats ?? 4 },
    position: { kind: 'number', value: carType ? carType.position + 1 : null },
    base_fare: { kind: 'amount', value: carType?.base_fare ?? null },
    rate_per_unit_distance: { kind: 'amount', value: carType?.rate_per_unit_distance ?? null },
    rate_per_hour: { kind: 'amount', value: carType?.rate_per_hour ?? null },
    min_fare: { kind: 'amount', value: carType?.min_fare ?? null },
    // A percentage has the scale of an amount.
    convenience_fees: { kind: 'amount', value: carType?.convenience_fees ?? 10 * unit },
    convenience_fee_type: { kind: 'choice', value: carType?.convenience_fee_type ?? 'percentage' },
  }
}

/** What stands in the form as a car type, numbers that are none as NaN. Without a place it goes to the end of the list. */
export function readCarType(
  fields: TypedFields<CarTypeField>,
  slabs: readonly SlabRow[],
): CarTypeFields & { isPlaced: boolean } {
  const number = (name: CarTypeField) => Number(fields.value(name) ?? Number.NaN)
  const isPlaced = fields.text('position').trim() !== ''
  return {
    name: fields.text('name'),
    extra_info: fields.text('extra_info'),
    seats: number('seats'),
    position: isPlaced ? number('position') - 1 : 0,
    isPlaced,
    base_fare: number('base_fare'),
    rate_per_unit_distance: number('rate_per_unit_distance'),
    rate_per_hour: number('rate_per_hour'),
    min_fare: number('min_fare'),
    convenience_fees: number('convenience_fees'),
    convenience_fee_type: fields.text('convenience_fee_type') === 'flat' ? 'flat' : 'percentage',
    cancelSlab: slabs.map(({ minsDelayed, amount }) => ({ minsDelayed, amount })),
  }
}

/** What is wrong, by field: the end of a text key. An empty field is called so. */
export function problemsOf(
  draft: CarTypeFields,
  isEmpty: (field: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    carTypeProblems(draft).map(({ field, error }) => [
      field,
      error === 'wrong_type' && isEmpty(field) ? 'required' : error,
    ]),
  )
}
