import type { TableOffer } from '@hansom/contract/tables'
import { and, type SQL, sql } from 'drizzle-orm'
import { type Position, readCursor, writeCursor } from './cursor.ts'
import { narrow } from './narrow.ts'
import { refused } from './refused.ts'
import type { SortColumn, Table, TableQuery, TableScope } from './table.ts'

/** A part of a page to be read: what goes into the statement. `position` is selected under that name. */
export interface PagePart {
  where: SQL
  orderBy: SQL
  limit: number
  position: SQL<Position>
}

/** Reads one part, in order. Never more than `limit` rows. */
export type ReadPart<R extends { position: Position }> = (part: PagePart) => Promise<readonly R[]>

const pageSize = 20

/**
 * A page of a table by keyset: `next` continues after its last row, null at the end. Throws invalid_input for what is
 * not offered to this viewer, and for a cursor that is none or of another sort.
 */
export async function readPage<O extends TableOffer, R extends { position: Position }>(
  table: Table<O>,
  query: TableQuery,
  scope: TableScope,
  read: ReadPart<R>,
): Promise<{ rows: R[]; next: string | null }> {
  const { id, idType } = table.columns
  const sort = query.sort ?? table.offer.opensWith
  const isDown = sort.startsWith('-')
  const column = (table.columns.sorts as Record<string, SortColumn | null | undefined>)[
    sort.replace(/^-/, '')
  ]
  if (!column) throw refused('sort', 'not_in_list')
  const after = query.cursor === undefined ? null : readCursor(query.cursor, sort, column, idType)
  const limit = query.limit ?? pageSize
  const common = {
    orderBy: isDown
      ? sql`${column.sql} desc nulls last, ${id} desc nulls last`
      : sql`${column.sql} asc nulls first, ${id} asc nulls first`,
    position: sql<Position>`jsonb_build_array(${column.sql}, ${id})`,
  }
  const within = narrow(table, query, scope)
  const rows: R[] = []
  for (const part of partsAfter(after, column, isDown)) {
    const where = and(within, condition(part, column, { id, idType }, isDown)) ?? within
    rows.push(...(await read({ ...common, where, limit: limit + 1 - rows.length })))
    if (rows.length > limit) break
  }
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), next: last ? writeCursor(sort, last.position) : null }
}

/** Rows with a value and rows without are read one after the other: each is a stretch of the index. */
interface Part {
  empty: boolean
  after: Position | null
}

function partsAfter(after: Position | null, column: SortColumn, isDown: boolean): Part[] {
  if (!column.nullable) return [{ empty: false, after }]
  const order = isDown ? [false, true] : [true, false]
  const begun = after === null ? 0 : order.indexOf(after[0] === null)
  return order.slice(begun).map((empty, number) => ({ empty, after: number === 0 ? after : null }))
}

function condition(
  { empty, after }: Part,
  column: SortColumn,
  { id, idType = 'uuid' }: Pick<Table<TableOffer>['columns'], 'id' | 'idType'>,
  isDown: boolean,
): SQL | undefined {
  const than = sql.raw(isDown ? '<' : '>')
  const afterId = after && sql`${after[1]}::${sql.raw(idType)}`
  if (empty) return and(sql`${column.sql} is null`, afterId ? sql`${id} ${than} ${afterId}` : undefined)
  return and(
    column.nullable ? sql`${column.sql} is not null` : undefined,
    after
      ? sql`(${column.sql}, ${id}) ${than} (${after[0]}::${sql.raw(column.type)}, ${afterId})`
      : undefined,
  )
}
