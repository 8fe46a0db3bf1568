import { accountGroups } from '@hansom/domain/wallet/account-groups'
import { entryKinds } from '@hansom/domain/wallet/ledger'
import type { TableSpec } from './tables.ts'

export const ledgerTableSpec = {
  sorts: ['at'],
  defaultSort: '-at',
  filters: {
    account: { kind: 'choice', values: accountGroups },
    kind: { kind: 'choice', values: entryKinds },
    user: { kind: 'id' },
    booking: { kind: 'id' },
    at: { kind: 'days' },
  },
  searchable: false,
} as const satisfies TableSpec
