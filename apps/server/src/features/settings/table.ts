import type { Settings } from '@hansom/domain/settings/settings'
import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

/** One row with the installation's settings. Keys missing in `value` have the built-in default. */
export const settingsTable = pgTable(
  'settings',
  {
    only: boolean('only').primaryKey().default(true),
    value: jsonb('value').$type<Partial<Settings>>().notNull(),
    /** The code accepted by the licence service; empty when none is set. */
    licence: text('licence').notNull().default(''),
    version: integer('version').notNull().default(1),
  },
  (t) => [check('settings_only_row', sql`${t.only}`)],
)

/** All settings with their version. */
export type CurrentSettings = Settings & { version: number }
