import type { TableFilter, TableOffer } from '@hansom/contract/tables'
import type { SQL, SQLWrapper } from 'drizzle-orm'

/** PostgreSQL's type of what a table is sorted by. */
export type SortType = 'int8' | 'float8' | 'text' | 'citext' | 'uuid'

/**
 * What a table is sorted by. Its index ends in `(<sql> desc nulls last, <id> desc nulls last)`, which is what drizzle's
 * `.desc()` makes: it serves both directions.
 */
export interface SortColumn {
  sql: SQLWrapper
  type: SortType
  /** May be null. What is empty counts as least: last when the greatest come first. */
  nullable?: true
}

/** What is asked of a filter, by its kind: values, yes or no, an id, or a span whose ends belong to it. */
export type Asked<F extends TableFilter> = F extends { kind: 'choice' }
  ? readonly F['values'][number][]
  : F extends { kind: 'flag' }
    ? boolean
    : F extends { kind: 'id' }
      ? string
      : Span

/** Both ends belong to it; null is open. Days are epoch ms of their first and last moment. */
export interface Span {
  from: number | null
  to: number | null
}

/** The column that a filter looks at, or the condition that it makes of what is asked. */
export type FilterColumn<F extends TableFilter> = SQLWrapper | ((asked: Asked<F>) => SQL)

/** Sorted by the key itself, whose index is there anyway: uuids of version 7 stand in the order in which they were made. */
export const byKey = 'key'

/**
 * How an offer reads its columns from the database. null stands for what this viewer may not sort, filter or search
 * by: it is refused like what is not offered. Values never become SQL: they are bound.
 */
export interface TableColumns<O extends TableOffer> {
  /** The key, a uuid or text: rows that are equal otherwise follow it. */
  id: SQLWrapper
  idType?: 'uuid' | 'text'
  sorts: Record<O['sorts'][number], SortColumn | typeof byKey | null>
  filters: { [F in keyof O['filters']]: FilterColumn<O['filters'][F]> | null }
  /**
   * What words are looked for in: text that has gone through `search_fold` with a space in front, the expression of a
   * trigram index; or the condition for all patterns of `like`, themselves folded.
   */
  search: SQLWrapper | ((patterns: readonly SQL[]) => SQL) | null
}

/**
 * A table: what it offers, and where that stands in the database.
 *
 *     const table = { offer: promosTable, columns: {
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
export interface Table<O extends TableOffer> {
  offer: O
  columns: TableColumns<O>
}

/** What holds whatever is asked: the rows that are the viewer's to see, and the city's time zone for days. */
export interface TableScope {
  where: readonly (SQL | undefined)[]
  timezone: string
}

/** What `tableInput` of the contract lets through. */
export interface TableQuery {
  sort?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
  q?: string | undefined
  [filter: string]: unknown
}
