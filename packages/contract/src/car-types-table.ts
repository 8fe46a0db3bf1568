import type { TableSpec } from './tables.ts'

export const feeTypes = ['flat', 'percentage'] as const

export const carTypesTableSpec = {
  sorts: ['position', 'name', 'min_fare', 'createdAt'],
  defaultSort: 'position',
  filters: { convenience_fee_type: { kind: 'choice', values: feeTypes } },
  searchable: true,
} as const satisfies TableSpec
