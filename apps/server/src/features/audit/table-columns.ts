import { auditTableSpec as offer } from '@hansom/contract/audit-table'
import { sql } from 'drizzle-orm'
import { auditLogTable as columns } from '../../platform/audit/table.ts'
import type { Table } from '../../platform/tables/table.ts'

/** Sorts, filters and search of the audit log. */
export const auditTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: { at: { sql: columns.at, type: 'int8' } },
    filters: {
      by_user: columns.by_user,
      kind: columns.kind,
      action: columns.action,
      at: columns.at,
    },
    search: sql`search_fold(' ' || ${columns.label} || ' ' || ${columns.by_name} || ' ' || ${columns.action})`,
  },
} satisfies Table<typeof offer>
