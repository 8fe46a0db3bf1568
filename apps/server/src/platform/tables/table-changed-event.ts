import type { WatchedTable } from '@hansom/domain/access/watched-tables'
import type { AuditKind } from '@hansom/domain/audit/kinds'
import type { NewEvent } from '../outbox/event.ts'

/**
 * Kind of the event that notifies open admin tables of changes. The database writes one for every row of the audit log.
 */
export const tableChangedKind = 'table.news'

/** The payload: the changed tables, or the kind of the changed record and, for a user, the id. */
export type TableChange = { tables: WatchedTable[] } | { kind: AuditKind; person: string | null }

/** Creates the event for changes that leave no row in the audit log. */
export function tableChangedEvent(...tables: WatchedTable[]): NewEvent {
  return { kind: tableChangedKind, payload: { tables } satisfies TableChange }
}
