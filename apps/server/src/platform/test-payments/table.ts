import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { amount, instant } from '../database/columns.ts'

/** The books of the test provider: what payers of a demo have decided. */
export const testPaymentsTable = pgTable('test_payments', {
  reference: text('reference').primaryKey(),
  amount: amount('amount').notNull(),
  currency: text('currency').notNull(),
  state: text('state').$type<'open' | 'pending' | 'paid' | 'failed'>().notNull().default('open'),
  decided_at: instant('decided_at'),
  /** Amounts by the ids of the refunds. */
  refunds: jsonb('refunds').$type<Record<string, number>>().notNull().default({}),
})
