import type { OfficeTable } from '@hansom/domain/access/office-tables'
import type { AuditKind } from '@hansom/domain/audit/kinds'
import type { NewEvent } from '../outbox/event.ts'

/**
 * Kind of the event that notifies open admin tables of changes. The database writes one for every row of the audit log.
 */
export const tableNews = 'table.news'

/** The payload: the changed tables, or the kind of the changed record and, for a user, the id. */
export type TableNews = { tables: OfficeTable[] } | { kind: AuditKind; person: string | null }

/** Creates the event for changes that leave no row in the audit log. */
export function tableNewsEvent(...tables: OfficeTable[]): NewEvent {
  return { kind: tableNews, payload: { tables } satisfies TableNews }
}
