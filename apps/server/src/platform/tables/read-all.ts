import type { TableSpec } from '@hansom/contract/tables'
import type { Position } from './cursor.ts'
import { type ReadPart, readPage } from './read-page.ts'
import type { Table, TableQuery, TableScope } from './table.ts'

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
