import type { AuditEntry } from '@hansom/contract/audit'
import { auditTableSpec as spec } from '@hansom/contract/audit-table'
import { id as uuid } from '@hansom/contract/shapes'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { verbOf } from '@hansom/domain/audit/audited-routes'
import { type AuditLine, auditLines } from '@hansom/domain/audit/field-values'
import { sql } from 'drizzle-orm'
import { auditLogTable } from '../../platform/audit/table.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Os } from '../../platform/http/implement.ts'
import { type Position, type TableReader, tableReader } from '../../platform/tables/read-table.ts'
import type { Table } from '../../platform/tables/table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { CarTypesService } from '../car-types/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'

export interface AuditDeps {
  database: Database
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'names'>
  carTypes: Pick<CarTypesService, 'names'>
}

type AuditRow = typeof auditLogTable.$inferSelect
type Fields = AuditRow['before']

const { label, by_name, by_user, kind, action, at, id } = auditLogTable
const auditTable = {
  spec,
  columns: {
    id,
    sorts: { at: { sql: at, type: 'int8' } },
    filters: { by_user, kind, action, at },
    search: sql`search_fold(' ' || ${label} || ' ' || ${by_name} || ' ' || ${action})`,
  },
} satisfies Table<typeof spec>

/** The log of admin changes, as admins read it. */
export function createAuditService(deps: AuditDeps): TableReader<AuditEntry> {
  const { database, settings } = deps
  return tableReader({
    queries: database.db,
    table: auditTable,
    from: sql`${auditLogTable}`,
    scope: async () => ({ where: [], timezone: (await settings.current()).timezone }),
    read: ({ where, orderBy, limit, position }) =>
      database.db
        .select({ row: auditLogTable, position })
        .from(auditLogTable)
        .where(where)
        .orderBy(orderBy)
        .limit(limit),
    view: async (rows: readonly { row: AuditRow; position: Position }[]) => {
      const { AllowCriticalEditsAdmin } = await settings.current()
      const records = rows.map(({ row }) => row)
      const names = await namesIn(deps, records)
      return records.map((row) => entryOf(row, names, !AllowCriticalEditsAdmin))
    },
  })
}

function entryOf(
  { person: _person, version: _version, ...row }: AuditRow,
  names: ReadonlyMap<string, string>,
  hidesContacts: boolean,
): AuditEntry {
  const shown = (fields: Fields) => (hidesContacts ? withoutContacts(fields) : fields)
  const [before, after] = [shown(row.before), shown(row.after)]
  const values = [...Object.values(before ?? {}), ...Object.values(after ?? {})]
  const named = values.flatMap((value) => {
    const name = typeof value === 'string' ? names.get(value) : undefined
    return name === undefined ? [] : [[value as string, name] as const]
  })
  return { ...row, before, after, names: Object.fromEntries(named) }
}

const contacts: readonly string[] = ['email', 'mobile']

function withoutContacts(fields: Fields): Fields {
  return (
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        field,
        contacts.includes(field) && value !== null ? hiddenForDemo : value,
      ]),
    )
  )
}

/** Fields that hold user ids, and fields that hold car type ids. */
const ofUsers: readonly string[] = ['driver', 'customer', 'fleetadmin', 'uid', 'signupViaReferral']
const ofCarTypes: readonly string[] = ['car_type_id']

/** Returns names by id for the ids in some records. Deleted users get the placeholder name of their row. */
async function namesIn(
  { users, carTypes }: AuditDeps,
  records: readonly { before: Fields; after: Fields }[],
): Promise<Map<string, string>> {
  const idsOf = (fields: readonly string[]) => [
    ...new Set(
      records.flatMap(({ before, after }) =>
        [before, after].flatMap((record) =>
          fields.flatMap((field) => {
            const value = record?.[field]
            return uuid.safeParse(value).success ? [value as string] : []
          }),
        ),
      ),
    ),
  ]
  const found = await Promise.all([users.names(idsOf(ofUsers)), carTypes.names(idsOf(ofCarTypes))])
  return new Map(found.flatMap((names) => [...names]))
}

export function auditRoutes({ audit: os }: Os, audit: TableReader<AuditEntry>) {
  return {
    list: os.list.handler(({ input }) => audit.page(input)),
    count: os.count.handler(({ input }) => audit.count(input)),
  }
}

interface ChangeLine {
  entry: AuditEntry
  line: AuditLine | null
}

/** CSV export of the audit log, with one row per changed field and the values as stored. */
export const auditExport = (audit: TableReader<AuditEntry>): TableExport =>
  tableExport<ChangeLine>({
    name: 'audit',
    spec,
    roles: ['admin'],
    when: 'critical',
    async *rows(_person, query) {
      for await (const entries of audit.all(query)) yield entries.flatMap(linesOf)
    },
    columns: [
      { title: 'audit.at', kind: 'time', value: ({ entry }) => entry.at },
      { title: 'audit.by', kind: 'text', value: ({ entry }) => entry.by_name },
      { title: 'audit.action', kind: { words: 'audit.verb_' }, value: ({ entry }) => verbOf(entry.action) },
      { title: 'audit.kind', kind: { words: 'audit.kind_' }, value: ({ entry }) => entry.kind },
      { title: 'audit.label', kind: 'text', value: ({ entry }) => entry.label },
      { title: 'audit.field', kind: 'text', value: ({ line }) => line?.field ?? null },
      { title: 'audit.before', kind: 'text', value: (row) => valueOf(row, 'before') },
      { title: 'audit.after', kind: 'text', value: (row) => valueOf(row, 'after') },
    ],
  })

function linesOf(entry: AuditEntry): ChangeLine[] {
  const lines = auditLines(entry.before, entry.after)
  return lines.length === 0 ? [{ entry, line: null }] : lines.map((line) => ({ entry, line }))
}

function valueOf({ entry, line }: ChangeLine, side: 'before' | 'after'): string | null {
  const value = line?.[side] ?? null
  if (value === null) return null
  return typeof value === 'string' ? (entry.names[value] ?? value) : JSON.stringify(value)
}
