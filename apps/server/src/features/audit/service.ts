import type { AuditEntry } from '@hansom/contract/audit'
import type { TableCount } from '@hansom/contract/tables'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { sql } from 'drizzle-orm'
import { auditLogTable } from '../../platform/audit/table.ts'
import type { Database } from '../../platform/database/database.ts'
import { type PagePart, readAll, readCount, readPage } from '../../platform/tables/read-table.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import type { SettingsService } from '../settings/service.ts'
import { namesIn } from './names.ts'
import { auditTableColumns } from './table-columns.ts'

export interface AuditService {
  page(query: TableQuery): Promise<{ items: AuditEntry[]; next: string | null }>
  /** Returns all matching entries in batches. */
  all(query: TableQuery): AsyncGenerator<AuditEntry[]>
  count(query: TableQuery): Promise<TableCount>
}

export interface AuditDeps {
  database: Database
  settings: Pick<SettingsService, 'current'>
}

type AuditRow = typeof auditLogTable.$inferSelect

/** The log of admin changes, as admins read it. */
export function createAuditService({ database, settings }: AuditDeps): AuditService {
  const scope = async () => ({ where: [], timezone: (await settings.current()).timezone })
  const read = ({ where, orderBy, limit, position }: PagePart) =>
    database.db
      .select({ row: auditLogTable, position })
      .from(auditLogTable)
      .where(where)
      .orderBy(orderBy)
      .limit(limit)
  const shown = async (rows: readonly { row: AuditRow }[]) => {
    const { AllowCriticalEditsAdmin } = await settings.current()
    const records = rows.map(({ row }) => row)
    const names = await namesIn(database.pool, records)
    return records.map((row) => entryOf(row, names, !AllowCriticalEditsAdmin))
  }
  return {
    page: async (query) => {
      const { rows, next } = await readPage(auditTableColumns, query, await scope(), read)
      return { items: await shown(rows), next }
    },
    async *all(query) {
      for await (const rows of readAll(auditTableColumns, query, await scope(), read)) {
        yield await shown(rows)
      }
    },
    count: async (query) =>
      readCount(database.db, auditTableColumns, query, await scope(), sql`${auditLogTable}`),
  }
}

function entryOf(
  { person: _person, ...row }: AuditRow,
  names: ReadonlyMap<string, string>,
  hidesContacts: boolean,
): AuditEntry {
  const shown = (fields: typeof row.before) => (hidesContacts ? withoutContacts(fields) : fields)
  const [before, after] = [shown(row.before), shown(row.after)]
  const values = [...Object.values(before ?? {}), ...Object.values(after ?? {})]
  const named = values.flatMap((value) => {
    const name = typeof value === 'string' ? names.get(value) : undefined
    return name === undefined ? [] : [[value as string, name] as const]
  })
  return { ...row, before, after, names: Object.fromEntries(named) }
}

const contacts: readonly string[] = ['email', 'mobile']

function withoutContacts(fields: Record<string, unknown> | null): Record<string, unknown> | null {
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
