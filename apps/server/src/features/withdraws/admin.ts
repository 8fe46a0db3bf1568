import type { WithdrawView } from '@hansom/contract/withdraws'
import { withdrawsTableSpec as offer, withdrawsTableSpec } from '@hansom/contract/withdraws-table'
import { type WithdrawState, withdrawState } from '@hansom/domain/wallet/withdraw'
import { or, type SQL, sql } from 'drizzle-orm'
import type { Table, TableQuery } from '../../platform/tables/table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import { withdrawsTable as columns } from './table.ts'

// Matches the conditions of the partial indexes.
const conditions: Readonly<Record<WithdrawState, SQL>> = {
  open: sql`(not ${columns.processed} and not ${columns.refused})`,
  processed: sql`${columns.processed}`,
  refused: sql`${columns.refused}`,
}

/** Sorts, filters and search of withdrawal requests. */
export const withdrawsTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: {
      date: { sql: columns.date, type: 'int8' },
      amount: { sql: columns.amount, type: 'int8' },
      name: { sql: columns.name, type: 'text' },
    },
    filters: {
      state: (asked) => or(...asked.map((state) => conditions[state])) ?? sql`true`,
      uid: columns.uid,
      date: columns.date,
      amount: columns.amount,
    },
    search: sql`search_fold(' ' || ${columns.name} || ' ' || ${columns.bankName} || ' ' || ${columns.bankAccount})`,
  },
} satisfies Table<typeof offer>

/** Withdrawal requests as a file, also in demo mode. */
export const withdrawsExport = (withdraws: {
  all(query: TableQuery): AsyncGenerator<WithdrawView[]>
}): TableExport =>
  tableExport<WithdrawView>({
    name: 'withdraws',
    offer: withdrawsTableSpec,
    roles: ['admin'],
    when: 'always',
    rows: (_person, query) => withdraws.all(query),
    columns: [
      { title: 'wallet.name', kind: 'text', value: (row) => row.name },
      { title: 'wallet.amount', kind: 'amount', value: (row) => row.amount },
      { title: 'wallet.state', kind: { words: 'wallet.state_' }, value: withdrawState },
      { title: 'wallet.date', kind: 'time', value: (row) => row.date },
      { title: 'wallet.bankName', kind: 'text', value: (row) => row.bankName },
      { title: 'wallet.bankCode', kind: 'text', value: (row) => row.bankCode },
      { title: 'wallet.bankAccount', kind: 'text', value: (row) => row.bankAccount },
      { title: 'wallet.procesDate', kind: 'time', value: (row) => row.procesDate },
      { title: 'wallet.reason', kind: 'text', value: (row) => row.reason },
    ],
  })
