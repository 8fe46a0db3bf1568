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
    /** Makes entries idempotent. */
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
    /** Set for user accounts, which appear in wallets. */
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
 * Running sums of the accounts, with users and trips grouped: a trigger on the legs appends rows, and
 * `fold_ledger_sums` folds them into one per account, so that writers never wait for a row. Sums are read over all
 * rows.
 */
export const ledgerSumsTable = pgTable('ledger_sums', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  account: text('account').notNull(),
  amount: amount('amount').notNull(),
})

/**
 * Amounts due to drivers and unpaid by riders, in addition to the ledger accounts `due:`. Maintained by `append_ledger`
 * in the commit of the entries; `ledger:check` compares the two.
 */
export const duesTable = pgTable(
  'dues',
  {
    booking_id: uuid('booking_id').primaryKey(),
    rider: uuid('rider')
      .notNull()
      .references(() => usersTable.id),
    driver: uuid('driver')
      .notNull()
      .references(() => usersTable.id),
    at: instant('at').notNull(),
    amount: amount('amount').notNull(),
    /** The amount the rider has not paid yet. */
    open: amount('open').notNull(),
    /** The amount an admin has waived: the driver does not get it. */
    waived: amount('waived').notNull().default(0),
  },
  (t) => [
    index('dues_open').on(t.rider, t.at, t.booking_id).where(sql`${t.open} > 0`),
    check('dues_range', sql`${t.open} >= 0 and ${t.waived} >= 0 and ${t.open} + ${t.waived} <= ${t.amount}`),
  ],
)

/** Cash that an admin received from a driver or rider. */
export const cashReceiptsTable = pgTable(
  'cash_receipts',
  {
    id: uuid('id').primaryKey(),
    /** The receipt number shown to people. */
    number: bigserial('number', { mode: 'number' }).notNull().unique(),
    uid: uuid('uid')
      .notNull()
      .references(() => usersTable.id),
    /** The person's name at that time. */
    name: text('name').notNull(),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    at: instant('at').notNull(),
    by_user: uuid('by_user').notNull(),
    note: text('note').notNull(),
    reversed_at: instant('reversed_at'),
    reversed_by: uuid('reversed_by'),
    reason: text('reason'),
  },
  (t) => [
    check('cash_receipts_amount', sql`${t.amount} > 0`),
    index('cash_receipts_uid').on(t.uid, t.number.desc()),
  ],
)
export type CashReceiptRow = typeof cashReceiptsTable.$inferSelect

/** Credits and debits of wallets by admins. */
export const walletAdjustmentsTable = pgTable(
  'wallet_adjustments',
  {
    id: uuid('id').primaryKey(),
    uid: uuid('uid')
      .notNull()
      .references(() => usersTable.id),
    /** Above zero for a credit, below zero for a debit. */
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    at: instant('at').notNull(),
    by_user: uuid('by_user').notNull(),
    reason: text('reason').notNull(),
    reversed_at: instant('reversed_at'),
    reversed_by: uuid('reversed_by'),
    reversal_reason: text('reversal_reason'),
  },
  (t) => [
    check('wallet_adjustments_amount', sql`${t.amount} <> 0`),
    index('wallet_adjustments_uid').on(t.uid, t.id.desc()),
  ],
)
export type WalletAdjustmentRow = typeof walletAdjustmentsTable.$inferSelect
