import type { TableSpec } from './tables.ts'

export const cancelReasonsTableSpec = {
  sorts: ['value'],
  defaultSort: 'value',
  filters: {},
  searchable: false,
} as const satisfies TableSpec
