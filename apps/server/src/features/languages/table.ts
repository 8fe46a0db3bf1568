import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'

export const languagesTable = pgTable(
  'languages',
  {
    id: uuid('id').primaryKey(),
    langName: text('lang_name').notNull(),
    langLocale: text('lang_locale').notNull().unique(),
    dateLocale: text('date_locale').notNull(),
    direction: text('direction', { enum: ['ltr', 'rtl'] }).notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    /** Only the differences from the release's pack. */
    keyValuePairs: jsonb('key_value_pairs').$type<Record<string, string>>().notNull().default({}),
    /** Keys whose text is still a copy from the language's creation. */
    copied: jsonb('copied').$type<string[]>().notNull().default([]),
    /** True for a language of the release that an admin has removed. */
    removed: boolean('removed').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('languages_one_default').on(t.isDefault).where(sql`${t.isDefault}`),
    check('languages_default_is_there', sql`not (${t.isDefault} and ${t.removed})`),
  ],
)
