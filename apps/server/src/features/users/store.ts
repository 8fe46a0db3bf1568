import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
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
  return new Map(rows.map((row) => [row.id, `${row.firstName} ${row.lastName}`]))
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

/** Sets the device for a user's notifications. A device belongs to the last user who registered it. */
export async function setPushToken(
  database: Database,
  uid: string,
  { token, platform }: { token: string; platform: PushPlatform },
): Promise<void> {
  await database.withTransaction(async ({ db }) => {
    await db
      .update(usersTable)
      .set({ pushToken: null, userPlatform: null })
      .where(and(eq(usersTable.pushToken, token), ne(usersTable.id, uid)))
    await db
      .update(usersTable)
      .set({ pushToken: token, userPlatform: platform })
      .where(and(eq(usersTable.id, uid), isNull(usersTable.deleted_at)))
  })
}

export async function removePushToken({ db }: Database, uid: string): Promise<void> {
  await db.update(usersTable).set({ pushToken: null, userPlatform: null }).where(eq(usersTable.id, uid))
}
