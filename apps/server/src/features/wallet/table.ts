import { sql } from 'drizzle-orm'
import { bigserial, check, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'
import { usersTable } from '../users/table.ts'

/** Append-only. A trigger refuses update and delete, and checks at commit that the legs of an entry sum to zero. */
export const ledgerEntriesTable = pgTable(
  'ledger_entries',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull(),
    kind: text('kind').notNull(),
    /** The same effect is written once. */
    key: text('key').notNull().unique(),
    booking_id: uuid('booking_id'),
    currency: text('currency').notNull(),
    by_user: uuid('by_user'),
    note: text('note'),
  },
  (t) => [
    index('ledger_entries_booking').on(t.booking_id),
    index('ledger_entries_at').on(t.at.desc(), t.id.desc()),
    index('ledger_entries_kind').on(t.kind, t.at.desc(), t.id.desc()),
  ],
)

export const ledgerLegsTable = pgTable(
  'ledger_legs',
  {
    entry_id: uuid('entry_id')
      .notNull()
      .references(() => ledgerEntriesTable.id),
    position: smallint('position').notNull(),
    account: text('account').notNull(),
    /** Set for user accounts; those are what a wallet shows. */
    user_id: uuid('user_id').references(() => usersTable.id),
    amount: amount('amount').notNull(),
    /** The user's balance after this leg. */
    balance: amount('balance'),
  },
  (t) => [
    index('ledger_legs_entry').on(t.entry_id),
    index('ledger_legs_user').on(t.user_id, t.entry_id).where(sql`${t.user_id} is not null`),
    index('ledger_legs_account').on(t.account),
    check('ledger_legs_user_account', sql`(${t.user_id} is not null) = (${t.account} like 'user:%')`),
    check('ledger_legs_not_zero', sql`${t.amount} <> 0`),
  ],
)

/**
 * What every entry adds to the accounts, users and trips counted together: rows are appended by a trigger on the legs and
 * folded into one for each account by turns (`fold_ledger_sums`), so that no row is waited for. The sums are read over all
 * rows.
 */
export const ledgerSumsTable = pgTable('ledger_sums', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  account: text('account').notNull(),
  amount: amount('amount').notNull(),
})
