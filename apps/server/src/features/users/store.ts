import { asc, eq, inArray } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { type UserRow, usersTable } from './table.ts'

export async function findUser(queries: Queries, id: string): Promise<UserRow | null> {
  const [row] = await queries.select().from(usersTable).where(eq(usersTable.id, id))
  return row ?? null
}

/**
 * Locks the rows in the order of their ids, which prevents deadlocks. Unknown ids are left out. With `no key update`,
 * rows that refer to the users can still be added.
 */
export async function lockUsers(
  queries: Queries,
  ids: readonly string[],
  strength: 'update' | 'no key update' = 'update',
): Promise<Map<string, UserRow>> {
  const rows = await queries
    .select()
    .from(usersTable)
    .where(inArray(usersTable.id, [...new Set(ids)]))
    .orderBy(asc(usersTable.id))
    .for(strength)
  return new Map(rows.map((row) => [row.id, row]))
}
