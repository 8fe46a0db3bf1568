import { maxCountedRows, type TableCount, type TableSpec } from '@hansom/contract/tables'
import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../database/transaction.ts'
import { buildWhere } from './where.ts'
import type { Table, TableQuery, TableScope } from './table.ts'

/** Counts the matching rows, up to 10,000; `from` is the FROM clause. Throws like `readPage`. */
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
  return { count: Math.min(count, maxCountedRows), more: count > maxCountedRows }
}
