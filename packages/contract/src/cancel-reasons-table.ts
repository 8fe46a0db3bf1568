import type { TableOffer } from './tables.ts'

export const cancelReasonsOffer = {
  sorts: ['value'],
  opensWith: 'value',
  filters: {},
  searchable: false,
} as const satisfies TableOffer
