import { refundsTableSpec as offer } from '@hansom/contract/refunds-table'
import { sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
import { refundsTable as columns } from './table.ts'

/** Sorts, filters and search of refunds. */
export const refundsTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: {
      at: { sql: columns.at, type: 'int8' },
      amount: { sql: columns.amount, type: 'int8' },
    },
    filters: {
      state: columns.state,
      source: columns.source,
      origin: columns.origin,
      bearer: columns.bearer,
      at: columns.at,
      booking: columns.booking,
      rider: columns.rider,
    },
    search: sql`search_fold(' ' || ${columns.code} || ' ' || ${columns.rider_name} || ' ' || ${columns.reason})`,
  },
} satisfies Table<typeof offer>
