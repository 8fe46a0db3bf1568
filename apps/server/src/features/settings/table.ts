import type { Settings } from '@hansom/domain/settings/settings'
import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

/** One row: what this installation is set to. Keys that are missing in `value` take the built-in default. */
export const settingsTable = pgTable(
  'settings',
  {
    only: boolean('only').primaryKey().default(true),
    value: jsonb('value').$type<Partial<Settings>>().notNull(),
    /** The code that the licence service has accepted; empty: none. */
    licence: text('licence').notNull().default(''),
    version: integer('version').notNull().default(1),
  },
  (t) => [check('settings_only_row', sql`${t.only}`)],
)
