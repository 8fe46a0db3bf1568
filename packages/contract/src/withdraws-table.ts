import { withdrawStates } from '@hansom/domain/wallet/withdraw'
import type { TableSpec } from './tables.ts'

export const withdrawsTableSpec = {
  sorts: ['date', 'amount', 'name'],
  defaultSort: '-date',
  filters: {
    state: { kind: 'choice', values: withdrawStates },
    uid: { kind: 'id' },
    date: { kind: 'days' },
    amount: { kind: 'numbers' },
  },
  sums: ['amount'],
  searchable: true,
} as const satisfies TableSpec
