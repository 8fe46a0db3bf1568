import type { TableSpec } from './tables.ts'

export const discountTypes = ['flat', 'percentage'] as const

export const promosTableSpec = {
  sorts: ['createdAt', 'promo_name', 'promo_validity', 'min_order', 'promo_usage_limit', 'user_avail'],
  defaultSort: '-createdAt',
  filters: {
    promo_discount_type: { kind: 'choice', values: discountTypes },
    promo_validity: { kind: 'days' },
  },
  searchable: true,
} as const satisfies TableSpec
