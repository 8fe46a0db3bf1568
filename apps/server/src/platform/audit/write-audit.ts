import type { plainRoutes, RouteName } from '@hansom/domain/access/routes'
import { type AuditedRecord, changedFields } from '@hansom/domain/audit/changed-fields'
import type { AuditKind } from '@hansom/domain/audit/kinds'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../database/transaction.ts'

/** A change by an admin or fleet admin. */
export interface AuditRecord {
  /** User id of the author. */
  by: string
  /** Epoch ms, by the application's clock. */
  at: number
  /** The route that made the change. */
  action: RouteName | keyof typeof plainRoutes
  kind: AuditKind
  /** Id of the changed record; the kind itself where only one record exists. */
  subject: string
  /** Display name of the record. */
  label: string
  /** The version of the record after the change, where it has one: `refuseClash` finds the changes since another. */
  version?: number | undefined
  /** The user the record is about; the name is removed with their account. For kind `user` this is the subject. */
  person?: string
  /** The complete records, or the parts that can change. Only differing fields are stored, and never a secret. */
  before: AuditedRecord | null
  after: AuditedRecord | null
}

/** Stores a change in the transaction that makes it. Writes nothing when the records are equal. */
export async function writeAudit(tx: Pick<Transaction, 'client'>, record: AuditRecord): Promise<void> {
  const rows = auditJson(record)
  if (rows.length > 0) await tx.client.query('select write_audit($1::jsonb)', [JSON.stringify(rows)])
}

/** Returns the rows that the database function `write_audit` takes: one, or none when nothing changed. */
export function auditJson(record: AuditRecord): object[] {
  const { by, at, action, kind, subject, label, version } = record
  const { before, after, isSame } = changedFields(record.before, record.after)
  if (isSame) return []
  const person = record.person ?? (kind === 'user' ? subject : null)
  return [{ id: uuidv7(), at, by_user: by, action, kind, subject, label, version, person, before, after }]
}
