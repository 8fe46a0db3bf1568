import type { ConflictData } from '@hansom/contract/shapes'
import type { plainRoutes, RouteName } from '@hansom/domain/access/routes'
import { type AuditedRecord, changedFields, isSameValue, isSecret } from '@hansom/domain/audit/changed-fields'
import type { AuditKind } from '@hansom/domain/audit/record-kinds'
import { Refusal } from '@hansom/domain/error-keys'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../database/transaction.ts'
import { storeOrigin } from '../log/origin.ts'
import { tableChangedKind } from '../tables/table.ts'

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
  if (rows.length > 0) await tx.client.query(`with ${insertAudit('$1')} select`, [JSON.stringify(rows)])
}

/**
 * Like `writeAudit`, but one row stands for every repetition: nothing is written if the same author's same action on the record
 * is in the log since `since`, epoch ms. Simultaneous calls leave one row.
 */
export async function writeAuditOnce(
  tx: Pick<Transaction, 'client'>,
  record: AuditRecord,
  since: number,
): Promise<void> {
  const { by, action, kind, subject } = record
  await tx.client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `audit ${by} ${action} ${subject}`,
  ])
  const { rows } = await tx.client.query(
    'select from audit_log where kind = $1 and subject = $2 and at > $3 and by_user = $4 and action = $5 limit 1',
    [kind, subject, since, by, action],
  )
  if (rows.length === 0) await writeAudit(tx, record)
}

/**
 * Returns the common table expressions of a statement that also writes the audit log: they insert the rows of
 * `auditJson`, given as the parameter `rows`, and publish a change of the tables that show them.
 */
export function insertAudit(rows: `$${number}`): string {
  return `audited as (
      insert into audit_log (id, at, by_user, by_name, action, kind, subject, label, version, person, before, after)
        select r.id, r.at, r.by_user, coalesce(u.name, ''), r.action, r.kind, r.subject, r.label, r.version, r.person,
          nullif(r.before, 'null'), nullif(r.after, 'null')
        from jsonb_to_recordset(${rows}::jsonb) as r(id uuid, at bigint, by_user uuid, action text, kind text,
          subject text, label text, version integer, person uuid, before jsonb, after jsonb)
        left join user_names u on u.id = r.by_user),
    announced as (
      insert into outbox (at, kind, payload)
        select (extract(epoch from clock_timestamp()) * 1000)::bigint, '${tableChangedKind}',
          jsonb_build_object('kind', r.kind, 'person', r.person) || jsonb_strip_nulls(jsonb_build_object('origin', r.origin))
        from jsonb_to_recordset(${rows}::jsonb) as r(kind text, person uuid, origin jsonb))`
}

/** Returns the rows that `insertAudit` takes: one, or none when nothing changed. */
export function auditJson(record: AuditRecord): object[] {
  const { by, at, action, kind, subject, label, version } = record
  const { before, after, isSame } = changedFields(record.before, record.after)
  if (isSame) return []
  const person = record.person ?? (kind === 'user' ? subject : null)
  const row = { id: uuidv7(), at, by_user: by, action, kind, subject, label, version, person, before, after }
  return [storeOrigin(row)]
}

/** A change of a record that others may have changed since its author read it. */
interface VersionedChange<View> {
  kind: AuditKind
  subject: string
  /** The version that the author has read. */
  seen: number
  /** The current record, locked. */
  current: { version: number }
  /** The new values by field. */
  changes: object
  /** The current record as the author sees it. */
  view: () => View | Promise<View>
  /** The change judges the entire record, such as an approval: every newer version is a conflict. */
  judges?: true
}

/**
 * Passes when the record was not changed since the author read it, or only in other fields, or to the same values.
 * Otherwise throws conflict with `ConflictData`. A change that left no audit row counts as a change of every field.
 */
export async function refuseClash<View>(
  { client }: Pick<Transaction, 'client'>,
  { kind, subject, seen, current, changes, view, judges }: VersionedChange<View>,
): Promise<void> {
  if (current.version === seen) return
  const { rows } = await client.query<{ version: number; by_name: string; fields: string[] }>(
    `select version, by_name, array(select jsonb_object_keys(coalesce(after, before))) as fields from audit_log
      where kind = $1 and subject = $2 and version > $3 order by version desc`,
    [kind, subject, seen],
  )
  const known = new Set(rows.map(({ version }) => version))
  const isComplete = seen < current.version && known.size === current.version - seen
  const touched = new Set(rows.flatMap(({ fields }) => fields))
  const values = current as Readonly<Record<string, unknown>>
  const clashing = Object.entries(changes).filter(
    ([field, value]) =>
      value !== undefined &&
      (!isComplete || touched.has(field) || isSecret(field)) &&
      !isSameValue(values[field], value),
  )
  if (clashing.length === 0 && !judges) return
  const author = judges
    ? rows[0]
    : rows.find(({ fields }) => clashing.some(([field]) => fields.includes(field)))
  const data: ConflictData<View> = {
    current: await view(),
    by: author?.by_name || null,
    fields: clashing.map(([field, yours]) => ({ field, theirs: values[field] ?? null, yours })),
  }
  throw new Refusal('conflict', { data: { ...data } })
}
