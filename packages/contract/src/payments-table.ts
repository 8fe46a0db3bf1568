import { paymentStates, paymentUses } from '@hansom/domain/payments/payment'
import { paymentProviders } from '@hansom/domain/payments/providers'
import type { TableSpec } from './tables.ts'

export const paymentsTableSpec = {
  sorts: ['created_at', 'amount', 'payer_name'],
  defaultSort: '-created_at',
  filters: {
    state: { kind: 'choice', values: paymentStates },
    provider: { kind: 'choice', values: paymentProviders },
    used_for: { kind: 'choice', values: paymentUses },
    created_at: { kind: 'days' },
    payer: { kind: 'id' },
    booking: { kind: 'id' },
  },
  sums: ['amount', 'refunded'],
  searchable: true,
} as const satisfies TableSpec
