import { promosTableSpec as spec } from '@hansom/contract/promos-table'
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { amount, citext, instant } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'

export const promosTable = pgTable(
  'promos',
  {
    id: uuid('id').primaryKey(),
    promo_name: citext('promo_name').notNull(),
    promo_description: text('promo_description').notNull().default(''),
    promo_discount_type: text('promo_discount_type', { enum: ['flat', 'percentage'] }).notNull(),
    promo_discount_value: bigint('promo_discount_value', { mode: 'number' }).notNull(),
    max_promo_discount_value: amount('max_promo_discount_value').notNull(),
    min_order: amount('min_order').notNull().default(0),
    promo_validity: instant('promo_validity').notNull(),
    promo_usage_limit: integer('promo_usage_limit').notNull(),
    /** Uses so far, including reserved ones. */
    user_avail: integer('user_avail').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /** When it was removed from every list. The row is kept because bookings refer to it. */
    archived_at: instant('archived_at'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('promos_name').on(t.promo_name).where(sql`${t.archived_at} is null`),
    index('promos_by_age').on(t.createdAt.desc(), t.id.desc()),
    index('promos_by_name').on(t.promo_name.desc(), t.id.desc()),
    index('promos_by_validity').on(t.promo_validity.desc(), t.id.desc()),
    index('promos_by_min_order').on(t.min_order.desc(), t.id.desc()),
    index('promos_by_limit').on(t.promo_usage_limit.desc(), t.id.desc()),
    index('promos_by_uses').on(t.user_avail.desc(), t.id.desc()),
    index('promos_by_type').on(t.promo_discount_type, t.createdAt.desc(), t.id.desc()),
    check('promos_discount_type', sql`${t.promo_discount_type} in ('flat', 'percentage')`),
    check('promos_within_limit', sql`${t.user_avail} >= 0 and ${t.user_avail} <= ${t.promo_usage_limit}`),
    check(
      'promos_not_negative',
      sql`${t.promo_discount_value} >= 0 and ${t.max_promo_discount_value} >= 0 and ${t.min_order} >= 0`,
    ),
  ],
)

/** Sorts, filters and search of promos for admins. */
export const promosTableColumns = {
  spec,
  columns: {
    id: promosTable.id,
    sorts: {
      createdAt: { sql: promosTable.createdAt, type: 'int8' },
      promo_name: { sql: promosTable.promo_name, type: 'citext' },
      promo_validity: { sql: promosTable.promo_validity, type: 'int8' },
      min_order: { sql: promosTable.min_order, type: 'int8' },
      promo_usage_limit: { sql: promosTable.promo_usage_limit, type: 'int8' },
      user_avail: { sql: promosTable.user_avail, type: 'int8' },
    },
    filters: {
      promo_discount_type: promosTable.promo_discount_type,
      promo_validity: promosTable.promo_validity,
    },
    search: sql`search_fold(' ' || ${promosTable.promo_name}::text || ' ' || ${promosTable.promo_description})`,
  },
} satisfies Table<typeof spec>
