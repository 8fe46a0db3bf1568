import { cancelReasonsTableSpec as offer } from '@hansom/contract/cancel-reasons-table'
import type { Table } from '../../platform/tables/table.ts'
import { cancelReasonsTable as columns } from './table.ts'

/** Columns of the admin table; reasons are sorted by position only. */
export const cancelReasonsTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: { value: { sql: columns.value, type: 'int8' } },
    filters: {},
    search: null,
  },
} satisfies Table<typeof offer>
