import { withdrawsTableSpec as spec } from '@hansom/contract/withdraws-table'
import type { WithdrawState } from '@hansom/domain/wallet/withdraw'
import { or, type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'
import { usersTable } from '../users/table.ts'

/** Requests to withdraw from a wallet. The money has left the wallet and is in the ledger account `payout`. */
export const withdrawsTable = pgTable(
  'withdraws',
  {
    id: uuid('id').primaryKey(),
    uid: uuid('uid')
      .notNull()
      .references(() => usersTable.id),
    /** Name and bank at that time. */
    name: text('name').notNull(),
    amount: amount('amount').notNull(),
    date: instant('date').notNull(),
    bankName: text('bank_name').notNull(),
    bankCode: text('bank_code').notNull(),
    bankAccount: text('bank_account').notNull(),
    processed: boolean('processed').notNull().default(false),
    refused: boolean('refused').notNull().default(false),
    /** Cancelled by the owner before a decision; counts as refused. */
    takenBack: boolean('taken_back').notNull().default(false),
    /** When it was processed or refused. */
    procesDate: instant('proces_date'),
    reason: text('reason'),
    currency: text('currency').notNull(),
  },
  (t) => [
    check('withdraws_amount', sql`${t.amount} > 0`),
    check('withdraws_decided_once', sql`not (${t.processed} and ${t.refused})`),
    check('withdraws_taken_back', sql`${t.refused} or not ${t.takenBack}`),
    check('withdraws_decided_at', sql`(${t.processed} or ${t.refused}) = (${t.procesDate} is not null)`),
    index('withdraws_date').on(t.date.desc(), t.id.desc()),
    index('withdraws_amount_order').on(t.amount.desc(), t.id.desc()),
    index('withdraws_name').on(t.name.desc(), t.id.desc()),
    index('withdraws_uid').on(t.uid, t.date.desc(), t.id.desc()),
    index('withdraws_open')
      .on(t.date.desc(), t.id.desc())
      .where(sql`not ${t.processed} and not ${t.refused}`),
    index('withdraws_refused').on(t.date.desc(), t.id.desc()).where(sql`${t.refused}`),
  ],
)
export type WithdrawRow = typeof withdrawsTable.$inferSelect

// Matches the conditions of the partial indexes.
const conditions: Readonly<Record<WithdrawState, SQL>> = {
  open: sql`(not ${withdrawsTable.processed} and not ${withdrawsTable.refused})`,
  processed: sql`${withdrawsTable.processed}`,
  refused: sql`${withdrawsTable.refused}`,
}

/** Sorts, filters and search of withdrawal requests. */
export const withdrawsTableColumns = {
  spec,
  columns: {
    id: withdrawsTable.id,
    sorts: {
      date: { sql: withdrawsTable.date, type: 'int8' },
      amount: { sql: withdrawsTable.amount, type: 'int8' },
      name: { sql: withdrawsTable.name, type: 'text' },
    },
    filters: {
      state: (asked) => or(...asked.map((state) => conditions[state])) ?? sql`true`,
      uid: withdrawsTable.uid,
      date: withdrawsTable.date,
      amount: withdrawsTable.amount,
    },
    sums: { amount: withdrawsTable.amount },
    search: sql`search_fold(' ' || ${withdrawsTable.name} || ' ' || ${withdrawsTable.bankName} || ' ' || ${withdrawsTable.bankAccount})`,
  },
} satisfies Table<typeof spec>
