import type { TableSpec } from '@hansom/contract/tables'
import { and, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { type Position, readCursor, writeCursor } from './cursor.ts'
import { buildWhere } from './where.ts'
import { fieldError } from './field-error.ts'
import { byKey, type SortColumn, type Table, type TableQuery, type TableScope } from './table.ts'

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
 * that this viewer cannot use, and for a cursor that is invalid or of another sort.
 */
export async function readPage<O extends TableSpec, R extends { position: Position }>(
  table: Table<O>,
  query: TableQuery,
  scope: TableScope,
  read: ReadPart<R>,
): Promise<{ rows: R[]; next: string | null }> {
  const order = orderOf(table, query.sort ?? table.offer.defaultSort)
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
