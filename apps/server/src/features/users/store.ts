import { fullName } from '@hansom/domain/users/full-name'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { type UserRow, usersTable } from './table.ts'

/** Returns full names by id. */
export async function readNames(queries: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { id, firstName, lastName } = usersTable
  const rows = await queries
    .select({ id, firstName, lastName })
    .from(usersTable)
    .where(inArray(id, [...ids]))
  return new Map(rows.map((row) => [row.id, fullName(row)]))
}

/** Returns which of these users are drivers of a fleet. */
export async function readDriversOf(
  queries: Queries,
  fleet: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { id, fleetadmin } = usersTable
  const rows = await queries
    .select({ id })
    .from(usersTable)
    .where(and(eq(fleetadmin, fleet), inArray(id, [...ids])))
  return new Set(rows.map((row) => row.id))
}

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
