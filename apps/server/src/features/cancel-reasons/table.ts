import { integer, pgTable, text } from 'drizzle-orm/pg-core'

export const cancelReasonsTable = pgTable('cancel_reasons', {
  value: integer('value').primaryKey(),
  label: text('label').notNull(),
})
