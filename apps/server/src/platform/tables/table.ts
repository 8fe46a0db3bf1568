import type { TableFilter, TableSpec } from '@hansom/contract/tables'
import type { AuditKind, WatchedTable } from '@hansom/domain/audit/record-kinds'
import type { SQL, SQLWrapper } from 'drizzle-orm'
import type { NewEvent } from '../outbox/event.ts'

/** PostgreSQL type of a sort column. */
export type SortType = 'int8' | 'float8' | 'text' | 'citext' | 'uuid'

/**
 * A sort column. Its index ends in `(<sql> desc nulls last, <id> desc nulls last)`, as drizzle's `.desc()` creates it,
 * and serves both directions.
 */
export interface SortColumn {
  sql: SQLWrapper
  type: SortType
  /** Set if the column is nullable. Null sorts as the smallest value: last in descending order. */
  nullable?: true
}

/** The parsed value of a filter, by its kind: values, a boolean, an id, or an inclusive range. */
export type FilterValue<F extends TableFilter> = F extends { kind: 'choice' }
  ? readonly F['values'][number][]
  : F extends { kind: 'flag' }
    ? boolean
    : F extends { kind: 'id' | 'text' }
      ? string
      : Span

/** An inclusive range; null is open. Days are epoch ms of their first and last millisecond. */
export interface Span {
  from: number | null
  to: number | null
}

/** The column that a filter compares, or a function that builds its condition. */
export type FilterColumn<F extends TableFilter> = SQLWrapper | ((asked: FilterValue<F>) => SQL)

/** Sorts by the key, which already has an index: version 7 uuids sort by creation time. */
export const byKey = 'key'

/**
 * Maps a table spec to database columns. null marks a field that this actor may not sort, filter or search by; it is
 * rejected like an unknown field. Values are bound, never interpolated into SQL.
 */
export interface TableColumns<O extends TableSpec> {
  /** The key, a uuid or text, which breaks ties. */
  id: SQLWrapper
  idType?: 'uuid' | 'text'
  sorts: Record<O['sorts'][number], SortColumn | typeof byKey | null>
  filters: { [F in keyof O['filters']]: FilterColumn<O['filters'][F]> | null }
  /** The amounts that the count sums; null for those that this actor may not see. */
  sums?: Readonly<Record<string, SQLWrapper | null>>
  /**
   * The searched text: `search_fold` of the text with a leading space, the expression of a trigram index; or a function
   * that builds the condition from the folded LIKE patterns.
   */
  search: SQLWrapper | ((patterns: readonly SQL[]) => SQL) | null
}

/**
 * A table: its spec, and the database columns behind it.
 *
 *     const table = { spec: promosTable, columns: {
 *       id: promos.id,
 *       sorts: { createdAt: { sql: promos.createdAt, type: 'int8' } },
 *       filters: { kind: promos.kind, createdAt: promos.createdAt },
 *       search: sql`search_fold(' ' || ${promos.name})`,
 *     } } satisfies Table<typeof promosTable>
 *
 *     const scope = { where: [isNull(promos.deleted_at)], timezone: settings.timezone }
 *     const page = await readPage(table, query, scope, ({ where, orderBy, limit, position }) =>
 *       db.select({ row: promos, position }).from(promos).where(where).orderBy(orderBy).limit(limit))
 *     const count = await readCount(db, table, query, scope, sql`${promos}`)
 */
export interface Table<O extends TableSpec> {
  spec: O
  columns: TableColumns<O>
}

/** Constraints applied to every query: the rows visible to the actor, and the city's time zone for days. */
export interface TableScope {
  where: readonly (SQL | undefined)[]
  timezone: string
}

/** A query validated by the contract's `tableInput`. */
export interface TableQuery {
  sort?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
  sums?: string | undefined
  q?: string | undefined
  [filter: string]: unknown
}

/**
 * Kind of the event that notifies open admin tables of changes. Every row of the audit log is written with one.
 */
export const tableChangedKind = 'table.news'

/**
 * The payload: the changed tables, with the fleet admins who see the change too; or the kind of the changed record and, for a
 * user, the id.
 */
export type TableChange =
  | { tables: WatchedTable[]; fleets?: string[] }
  | { kind: AuditKind; person: string | null }

/** Creates the event for changes that leave no row in the audit log. */
export function tableChangedEvent(...tables: WatchedTable[]): NewEvent {
  return { kind: tableChangedKind, payload: { tables } satisfies TableChange }
}
