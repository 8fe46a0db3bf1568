import type { OfficeTable } from '@hansom/domain/access/office-tables'
import type { AuditKind } from '@hansom/domain/audit/kinds'
import type { NewEvent } from '../outbox/event.ts'

/** The kind of event that tells the office's open tables of news. The database writes one for every row of the audit log. */
export const tableNews = 'table.news'

/** What such an event says: the tables themselves, or what was changed and, of a person, who. */
export type TableNews = { tables: OfficeTable[] } | { kind: AuditKind; person: string | null }

/** News for tables in which something has changed that leaves no row in the audit log. */
export function tableNewsEvent(...tables: OfficeTable[]): NewEvent {
  return { kind: tableNews, payload: { tables } satisfies TableNews }
}
