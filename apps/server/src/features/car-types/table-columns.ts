import { carTypesTableSpec as offer } from '@hansom/contract/car-types-table'
import { sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
import { carTypesTable as columns } from './table.ts'

/** Sorts, filters and search of the admin table. */
export const carTypesTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: {
      position: { sql: columns.position, type: 'int8' },
      name: { sql: columns.name, type: 'text' },
      seats: { sql: columns.seats, type: 'int8' },
      base_fare: { sql: columns.base_fare, type: 'int8' },
      rate_per_unit_distance: { sql: columns.rate_per_unit_distance, type: 'int8' },
      rate_per_hour: { sql: columns.rate_per_hour, type: 'int8' },
      min_fare: { sql: columns.min_fare, type: 'int8' },
      createdAt: { sql: columns.createdAt, type: 'int8' },
    },
    filters: { convenience_fee_type: columns.convenience_fee_type },
    search: sql`search_fold(' ' || ${columns.name} || ' ' || ${columns.extra_info})`,
  },
} satisfies Table<typeof offer>
