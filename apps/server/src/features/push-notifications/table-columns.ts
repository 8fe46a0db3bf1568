import { pushNotificationsTableSpec as offer } from '@hansom/contract/push-notifications-table'
import { inArray, sql } from 'drizzle-orm'
import type { Table } from '../../platform/tables/table.ts'
import { pushNotificationsTable as columns } from './table.ts'

/** Sorts, filters and search of the admin table. */
export const pushNotificationsTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: {
      createdAt: { sql: columns.createdAt, type: 'int8' },
      title: { sql: columns.title, type: 'text' },
    },
    filters: {
      devicetype: (asked) => inArray(columns.devicetype, [...asked]),
      usertype: (asked) => inArray(columns.usertype, [...asked]),
    },
    search: sql`search_fold(' ' || ${columns.title} || ' ' || ${columns.body})`,
  },
} satisfies Table<typeof offer>
