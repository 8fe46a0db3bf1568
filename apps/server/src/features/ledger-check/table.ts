import { bigserial, integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'
import type { Difference } from './check-ledger.ts'

/** One row per ledger check with its result. */
export const ledgerChecksTable = pgTable('ledger_checks', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  at: instant('at').notNull(),
  entries: integer('entries').notNull(),
  sum: amount('sum').notNull(),
  /** Total number of differences; only the first are stored. */
  found: integer('found').notNull(),
  differences: jsonb('differences').$type<Difference[]>().notNull(),
})
