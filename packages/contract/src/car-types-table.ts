import type { TableSpec } from './tables.ts'

export const feeTypes = ['flat', 'percentage'] as const

export const carTypesTableSpec = {
  sorts: [
    'position',
    'name',
    'seats',
    'base_fare',
    'rate_per_unit_distance',
    'rate_per_hour',
    'min_fare',
    'createdAt',
  ],
  defaultSort: 'position',
  filters: { convenience_fee_type: { kind: 'choice', values: feeTypes } },
  searchable: true,
} as const satisfies TableSpec
