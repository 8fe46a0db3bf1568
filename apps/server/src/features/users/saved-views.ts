import { maxSavedViews, type SavedView } from '@hansom/contract/users'
import { Refusal } from '@hansom/domain/error-keys'
import { and, asc, eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import { lockUsers } from './store.ts'
import { savedViewsTable } from './table.ts'

/** A user's views of one table, by name. */
export function listSavedViews(queries: Queries, userId: string, table: string): Promise<SavedView[]> {
  const { name, search } = savedViewsTable
  return queries
    .select({ name, search })
    .from(savedViewsTable)
    .where(ofTable(userId, table))
    .orderBy(asc(name))
}

/** Saves a view, replacing an earlier one of its name, or removes it (`search` null). Throws too_many_views. */
export function saveView(
  database: Database,
  userId: string,
  { table, name, search }: { table: string; name: string; search: string | null },
): Promise<SavedView[]> {
  return database.withTransaction(async ({ db }) => {
    // Two saves of one user wait for each other, so that the limit holds.
    await lockUsers(db, [userId], 'no key update')
    if (search === null) {
      await db.delete(savedViewsTable).where(and(ofTable(userId, table), eq(savedViewsTable.name, name)))
    } else {
      await db
        .insert(savedViewsTable)
        .values({ user_id: userId, table, name, search })
        .onConflictDoUpdate({
          target: [savedViewsTable.user_id, savedViewsTable.table, savedViewsTable.name],
          set: { search },
        })
    }
    const views = await listSavedViews(db, userId, table)
    if (views.length > maxSavedViews) throw new Refusal('too_many_views')
    return views
  })
}

const ofTable = (userId: string, table: string) =>
  and(eq(savedViewsTable.user_id, userId), eq(savedViewsTable.table, table))
