import { cancelReasonsOffer as offer } from '@hansom/contract/cancel-reasons-table'
import type { Table } from '../../platform/tables/table.ts'
import { cancelReasonsTable as columns } from './table.ts'

/** The office sees the reasons in their order. */
export const cancelReasonsOffered = {
  offer,
  columns: {
    id: columns.id,
    sorts: { value: { sql: columns.value, type: 'int8' } },
    filters: {},
    search: null,
  },
} satisfies Table<typeof offer>
