import { promosTableSpec as offer } from '@hansom/contract/promos-table'
import { sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
import { promosTable as columns } from './table.ts'

/** Sorts, filters and search of promos for admins. */
export const promosTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: {
      createdAt: { sql: columns.createdAt, type: 'int8' },
      promo_name: { sql: columns.promo_name, type: 'citext' },
      promo_validity: { sql: columns.promo_validity, type: 'int8' },
      user_avail: { sql: columns.user_avail, type: 'int8' },
    },
    filters: {
      promo_discount_type: columns.promo_discount_type,
      promo_validity: columns.promo_validity,
    },
    search: sql`search_fold(' ' || ${columns.promo_name}::text || ' ' || ${columns.promo_description})`,
  },
} satisfies Table<typeof offer>
