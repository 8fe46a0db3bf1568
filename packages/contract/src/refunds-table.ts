import { refundBearers, refundOrigins, refundSources, refundStates } from '@hansom/domain/wallet/refund'
import type { TableSpec } from './tables.ts'

export const refundsTableSpec = {
  sorts: ['at', 'amount', 'rider_name'],
  defaultSort: '-at',
  filters: {
    state: { kind: 'choice', values: refundStates },
    source: { kind: 'choice', values: refundSources },
    origin: { kind: 'choice', values: refundOrigins },
    bearer: { kind: 'choice', values: refundBearers },
    at: { kind: 'days' },
    booking: { kind: 'id' },
    rider: { kind: 'id' },
  },
  sums: ['amount'],
  searchable: true,
} as const satisfies TableSpec
