import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { amount, instant } from '../database/columns.ts'

/** Payments of the test provider: the decisions of a demo's payers. */
export const testPaymentsTable = pgTable('test_payments', {
  reference: text('reference').primaryKey(),
  amount: amount('amount').notNull(),
  currency: text('currency').notNull(),
  state: text('state').$type<'open' | 'pending' | 'paid' | 'failed'>().notNull().default('open'),
  decided_at: instant('decided_at'),
  /** Amounts by refund id. */
  refunds: jsonb('refunds').$type<Record<string, number>>().notNull().default({}),
})
