import { id as uuid } from '@hansom/contract/shapes'
import { maxCountedRows, type TableCount, type TableSpec } from '@hansom/contract/tables'
import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Queries } from '../database/transaction.ts'
import {
  byKey,
  type SortColumn,
  type SortType,
  type Table,
  type TableQuery,
  type TableScope,
} from './table.ts'
import { buildWhere, fieldError } from './where.ts'

/** The clauses of a statement that reads a part of a page. `position` is selected under that name. */
export interface PagePart {
  where: SQL
  orderBy: SQL
  limit: number
  position: SQL<Position>
}

/** Reads one part, in order; at most `limit` rows. */
export type ReadPart<R extends { position: Position }> = (part: PagePart) => Promise<readonly R[]>

const pageSize = 20

/**
 * Reads a page by keyset: `next` continues after its last row and is null at the end. Throws invalid_input for fields
 * that this actor cannot use, and for a cursor that is invalid or of another sort.
 */
export async function readPage<O extends TableSpec, R extends { position: Position }>(
  table: Table<O>,
  query: TableQuery,
  scope: TableScope,
  read: ReadPart<R>,
): Promise<{ rows: R[]; next: string | null }> {
  const order = orderOf(table, query.sort ?? table.spec.defaultSort)
  const after =
    query.cursor === undefined
      ? null
      : readCursor(query.cursor, order.sort, order.column, table.columns.idType)
  const limit = query.limit ?? pageSize
  const within = buildWhere(table, query, scope)
  const { orderBy, position } = order
  const rows: R[] = []
  for (const part of partsAfter(after, order)) {
    const where = and(within, conditionOf(part, order)) ?? within
    rows.push(...(await read({ orderBy, position, where, limit: limit + 1 - rows.length })))
    if (rows.length > limit) break
  }
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), next: last ? writeCursor(order.sort, last.position) : null }
}

interface Order {
  sort: string
  isDown: boolean
  column: SortColumn
  id: SQLWrapper
  idType: 'uuid' | 'text'
  orderBy: SQL
  position: SQL<Position>
}

function orderOf<O extends TableSpec>({ columns }: Table<O>, sort: string): Order {
  const { id, idType = 'uuid' } = columns
  const isDown = sort.startsWith('-')
  const sorts = columns.sorts as Record<string, SortColumn | typeof byKey | null | undefined>
  const found = sorts[isDown ? sort.slice(1) : sort]
  if (!found) throw fieldError('sort', 'not_in_list')
  if (found === byKey) {
    // Uses the index of the primary key, forwards or backwards.
    const orderBy = isDown ? sql`${id} desc` : sql`${id} asc`
    const column = { sql: id, type: idType }
    return { sort, isDown, column, id, idType, orderBy, position: sql`jsonb_build_array(${id}, ${id})` }
  }
  const orderBy = isDown
    ? sql`${found.sql} desc nulls last, ${id} desc nulls last`
    : sql`${found.sql} asc nulls first, ${id} asc nulls first`
  return {
    sort,
    isDown,
    column: found,
    id,
    idType,
    orderBy,
    position: sql`jsonb_build_array(${found.sql}, ${id})`,
  }
}

/** Rows with a value and rows without are read separately: each is one range of the index. */
interface Part {
  empty: boolean
  after: Position | null
}

function partsAfter(after: Position | null, { column, isDown }: Order): Part[] {
  if (!column.nullable) return [{ empty: false, after }]
  const order = isDown ? [false, true] : [true, false]
  const first = after === null ? 0 : order.indexOf(after[0] === null)
  return order.slice(first).map((empty, number) => ({ empty, after: number === 0 ? after : null }))
}

function conditionOf({ empty, after }: Part, { column, id, idType, isDown }: Order): SQL | undefined {
  const than = sql.raw(isDown ? '<' : '>')
  const afterId = after && sql`${after[1]}::${sql.raw(idType)}`
  const nulls = column.nullable ? sql`${column.sql} is ${sql.raw(empty ? '' : 'not')} null` : undefined
  if (!after) return nulls
  const isById = empty || column.sql === id
  return and(
    nulls,
    isById
      ? sql`${id} ${than} ${afterId}`
      : sql`(${column.sql}, ${id}) ${than} (${after[0]}::${sql.raw(column.type)}, ${afterId})`,
  )
}

/** The reads of a table: pages, all matching rows in batches, and counts. */
export interface TableReader<V> {
  page(query: TableQuery): Promise<{ items: V[]; next: string | null }>
  all(query: TableQuery): AsyncGenerator<V[]>
  count(query: TableQuery): Promise<TableCount>
}

export interface ReaderOptions<O extends TableSpec, R extends { position: Position }, V> {
  queries: Queries
  table: Table<O>
  /** The FROM clause of the count. */
  from: SQL
  scope(): TableScope | Promise<TableScope>
  read: ReadPart<R>
  view(rows: readonly R[]): V[] | Promise<V[]>
}

/** Reads a table as views of its rows. */
export function tableReader<O extends TableSpec, R extends { position: Position }, V>(
  options: ReaderOptions<O, R, V>,
): TableReader<V> {
  const { queries, table, from, scope, read, view } = options
  return {
    page: async (query) => {
      const { rows, next } = await readPage(table, query, await scope(), read)
      return { items: await view(rows), next }
    },
    async *all(query) {
      for await (const rows of readAll(table, query, await scope(), read)) yield await view(rows)
    },
    count: async (query) => readCount(queries, table, query, await scope(), from),
  }
}

const batch = 500

/** Yields all matching rows in order, one batch at a time, so memory use is bounded by one page. */
export async function* readAll<O extends TableSpec, R extends { position: Position }>(
  table: Table<O>,
  query: TableQuery,
  scope: TableScope,
  read: ReadPart<R>,
): AsyncGenerator<R[]> {
  let cursor: string | undefined
  for (;;) {
    const { rows, next } = await readPage(table, { ...query, cursor, limit: batch }, scope, read)
    if (rows.length > 0) yield rows
    if (next === null) return
    cursor = next
  }
}

/**
 * Counts the matching rows, up to 10,000, and sums their amounts when the query has `sums`; `from` is the FROM clause.
 * Throws like `readPage`.
 */
export async function readCount<O extends TableSpec>(
  queries: Queries,
  table: Table<O>,
  query: TableQuery,
  scope: TableScope,
  from: SQL,
): Promise<TableCount> {
  const where = buildWhere(table, query, scope)
  const reply = await queries.execute<{ count: number }>(
    sql`select count(*)::int as count from (select from ${from} where ${where} limit ${maxCountedRows + 1}) counted`,
  )
  const count = reply.rows[0]?.count ?? 0
  if (count > maxCountedRows) return { count: maxCountedRows, more: true }
  if (query.sums !== 'true') return { count, more: false }
  const visible = Object.entries(table.columns.sums ?? {}).flatMap(([name, column]) =>
    column === null ? [] : [{ name, sum: sql`coalesce(sum(${column}), 0)::float8` }],
  )
  if (visible.length === 0) return { count, more: false, sums: {} }
  const summed = await queries.execute<{ sums: number[] }>(
    sql`select array[${sql.join(
      visible.map(({ sum }) => sum),
      sql`, `,
    )}] as sums from ${from} where ${where}`,
  )
  // A sum beyond what a number holds exactly is left out.
  const sums = visible
    .map(({ name }, at) => [name, summed.rows[0]?.sums[at] ?? 0] as const)
    .filter(([, sum]) => Number.isSafeInteger(sum))
  return { count, more: false, sums: Object.fromEntries(sums) }
}

/** The position of a row under a sort: its sort value and its key. */
export type Position = readonly [value: string | number | null, id: string]

/** Encodes the position after a row, for the next page of the same sort; opaque to clients. */
export function writeCursor(sort: string, [value, id]: Position): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')
}

/** Decodes a cursor. Throws invalid_input for `cursor` when it is invalid or of another sort. */
export function readCursor(
  text: string,
  sort: string,
  column: SortColumn,
  idType: 'uuid' | 'text' = 'uuid',
): Position {
  const parts = parse(text)
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== sort) throw fieldError('cursor')
  const [, value, id] = parts as [unknown, unknown, unknown]
  const fits = value === null ? column.nullable === true : isOf(value, column.type)
  if (!fits || !isOf(id, idType)) throw fieldError('cursor')
  return [value as Position[0], id as string]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

function isOf(value: unknown, type: SortType): boolean {
  switch (type) {
    case 'int8':
      return Number.isSafeInteger(value)
    case 'float8':
      return typeof value === 'number' && Number.isFinite(value)
    case 'uuid':
      return uuid.safeParse(value).success
    default:
      // PostgreSQL accepts neither NUL nor an unpaired surrogate.
      return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value)
  }
}
