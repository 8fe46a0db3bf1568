import type { AuditKind } from '@hansom/domain/audit/record-kinds'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/**
 * Changes by admins and fleet admins. Append-only: a trigger rejects updates and deletes, except for removing the name
 * of a deleted account (`erase_from_audit`). Partitioned by month: see docs/decisions/0203-retention.md.
 */
export const auditLogTable = pgTable(
  'audit_log',
  {
    id: uuid('id').notNull(),
    at: instant('at').notNull(),
    by_user: uuid('by_user').notNull(),
    /** The author's name at the time of the change. */
    by_name: text('by_name').notNull(),
    /** Route name. */
    action: text('action').notNull(),
    kind: text('kind').$type<AuditKind>().notNull(),
    /** Id of the changed record; the kind itself where only one record exists. */
    subject: text('subject').notNull(),
    /** Display name of the record. */
    label: text('label').notNull(),
    /** The version of the record after the change; null for records without versions. */
    version: integer('version'),
    /** The user the record is about, if any. */
    person: uuid('person'),
    /** The changed fields. `before` is null for a new record, `after` for a deleted one. */
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.at] }),
    index('audit_log_at').on(t.at.desc(), t.id.desc()),
    index('audit_log_by').on(t.by_user, t.at.desc(), t.id.desc()),
    index('audit_log_subject').on(t.kind, t.subject, t.at.desc(), t.id.desc()),
    index('audit_log_kind').on(t.kind, t.at.desc(), t.id.desc()),
    index('audit_log_action').on(t.action, t.at.desc(), t.id.desc()),
    index('audit_log_person').on(t.person),
  ],
)
