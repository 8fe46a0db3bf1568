import { paymentsTableSpec as offer } from '@hansom/contract/payments-table'
import { sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
import { paymentsTable as columns } from './table.ts'

/** Sorts, filters and search of payment attempts. */
export const paymentsTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: {
      created_at: { sql: columns.created_at, type: 'int8' },
      amount: { sql: columns.amount, type: 'int8' },
    },
    filters: {
      state: columns.state,
      provider: columns.provider,
      used_for: columns.used_for,
      created_at: columns.created_at,
      payer: columns.payer,
      booking: columns.booking,
    },
    search: sql`search_fold(' ' || ${columns.reference} || ' ' || ${columns.payer_name} || ' ' || coalesce(${columns.provider_id}, ''))`,
  },
} satisfies Table<typeof offer>
