import { bigserial, integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'
import type { Difference } from './check-ledger.ts'

/** Every time the ledger was replayed, and what came of it. */
export const ledgerChecksTable = pgTable('ledger_checks', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  at: instant('at').notNull(),
  entries: integer('entries').notNull(),
  sum: amount('sum').notNull(),
  /** How many differences there are; the first of them are kept. */
  found: integer('found').notNull(),
  differences: jsonb('differences').$type<Difference[]>().notNull(),
})
