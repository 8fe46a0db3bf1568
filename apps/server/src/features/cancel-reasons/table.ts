import { cancelReasonsTableSpec as spec } from '@hansom/contract/cancel-reasons-table'
import type { Translations } from '@hansom/domain/languages/translations'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import { citext, isTranslations } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'

export const cancelReasonsTable = pgTable(
  'cancel_reasons',
  {
    /** Position in the list. */
    value: integer('value').notNull(),
    label: citext('label').notNull().unique(),
    translations: jsonb('translations').$type<Translations<'label'>>().notNull().default({}),
    id: uuid('id').primaryKey().defaultRandom(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    index('cancel_reasons_by_value').on(t.value.desc(), t.id.desc()),
    check('cancel_reasons_translations', isTranslations(t.translations)),
  ],
)

/** At most one row, created by the first change: the list's version, counting additions, removals and moves. */
export const cancelReasonsOrderTable = pgTable(
  'cancel_reasons_order',
  {
    only: boolean('only').primaryKey().default(true),
    version: integer('version').notNull(),
  },
  (t) => [check('cancel_reasons_order_only_row', sql`${t.only}`)],
)

/** Columns of the admin table; reasons are sorted by position only. */
export const cancelReasonsTableColumns = {
  spec,
  columns: {
    id: cancelReasonsTable.id,
    sorts: { value: { sql: cancelReasonsTable.value, type: 'int8' } },
    filters: {},
    search: null,
  },
} satisfies Table<typeof spec>
