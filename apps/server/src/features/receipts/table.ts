import type { TaxRates } from '@hansom/domain/receipts/tax'
import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'

/** The issuer's details at the time of issue. */
export interface Issuer {
  name: string
  address: string
  tax_number: string
}

/** Issued receipts. Later changes of the settings do not change them. */
export const receiptsTable = pgTable(
  'receipts',
  {
    booking: uuid('booking')
      .primaryKey()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    /** The year in the city, and the number within it, without gaps. */
    year: integer('year').notNull(),
    number: integer('number').notNull(),
    serial: text('serial').notNull().unique(),
    issued_at: instant('issued_at').notNull(),
    issuer: jsonb('issuer').$type<Issuer>().notNull(),
    tax: jsonb('tax').$type<TaxRates>().notNull(),
  },
  (t) => [unique('receipts_number').on(t.year, t.number), check('receipts_counted', sql`${t.number} > 0`)],
)

/** The last number of each year. Its row is locked while a receipt is issued. */
export const receiptCountersTable = pgTable('receipt_counters', {
  year: integer('year').primaryKey(),
  last: integer('last').notNull(),
})
