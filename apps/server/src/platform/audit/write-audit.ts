import type { plainRoutes, RouteName } from '@hansom/domain/access/routes'
import { type AuditedRecord, changedFields } from '@hansom/domain/audit/changed-fields'
import type { AuditKind } from '@hansom/domain/audit/kinds'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../database/transaction.ts'

/** A change by an admin or fleet admin. */
export interface AuditRecord {
  /** Id of whoever changed it. */
  by: string
  /** Epoch ms, by the application's clock. */
  at: number
  /** The route by which it was changed. */
  action: RouteName | keyof typeof plainRoutes
  kind: AuditKind
  /** Id of what was changed; the kind itself where there is only one of it. */
  subject: string
  /** What people call it. */
  label: string
  /** The person it is about, whose name goes when the account does. For the kind user this is the subject. */
  person?: string
  /** The whole records, or those parts that can have changed: only what differs is kept, and never a secret. */
  before: AuditedRecord | null
  after: AuditedRecord | null
}

/** Keeps a change in the transaction that makes it. Records without a difference leave nothing. */
export async function writeAudit(tx: Pick<Transaction, 'client'>, record: AuditRecord): Promise<void> {
  const rows = auditJson(record)
  if (rows.length > 0) await tx.client.query('select write_audit($1::jsonb)', [JSON.stringify(rows)])
}

/** A change as the database function `write_audit` takes it: one row, or none. */
export function auditJson(record: AuditRecord): object[] {
  const { by, at, action, kind, subject, label } = record
  const { before, after, isSame } = changedFields(record.before, record.after)
  if (isSame) return []
  const person = record.person ?? (kind === 'user' ? subject : null)
  return [{ id: uuidv7(), at, by_user: by, action, kind, subject, label, person, before, after }]
}
