import { withdrawsTableSpec as offer } from '@hansom/contract/withdraws-table'
import type { WithdrawState } from '@hansom/domain/wallet/withdraw'
import { or, type SQL, sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
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
