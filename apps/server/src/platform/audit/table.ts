import type { AuditKind } from '@hansom/domain/audit/kinds'
import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/**
 * What admins and fleet admins have changed. Append-only: a trigger refuses update and delete, but for taking the name
 * of somebody out who has deleted the account (`forget_in_audit`). Partitioned by month: see
 * docs/decisions/0203-retention.md.
 */
export const auditLogTable = pgTable(
  'audit_log',
  {
    id: uuid('id').notNull(),
    at: instant('at').notNull(),
    by_user: uuid('by_user').notNull(),
    /** The name at that time. */
    by_name: text('by_name').notNull(),
    /** Name of the route. */
    action: text('action').notNull(),
    kind: text('kind').$type<AuditKind>().notNull(),
    /** Id of what was changed; the kind itself where there is only one. */
    subject: text('subject').notNull(),
    /** What people call it. */
    label: text('label').notNull(),
    /** The person it is about, if any. */
    person: uuid('person'),
    /** The changed fields; null where there was nothing, or is nothing any more. */
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
