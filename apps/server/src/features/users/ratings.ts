import { eq, sql } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { userRatingsTable, usersTable } from './table.ts'

/** Counts a rating for its person; false when that trip's rating of that person counts already. */
export async function addRating(
  queries: Queries,
  rating: typeof userRatingsTable.$inferInsert,
): Promise<boolean> {
  const added = await queries
    .insert(userRatingsTable)
    .values(rating)
    .onConflictDoNothing()
    .returning({ user_id: userRatingsTable.user_id })
  if (added.length === 0) return false
  await queries
    .update(usersTable)
    .set({
      rating_sum: sql`${usersTable.rating_sum} + ${rating.rate}`,
      rating_count: sql`${usersTable.rating_count} + 1`,
      version: sql`${usersTable.version} + 1`,
    })
    .where(eq(usersTable.id, rating.user_id))
  return true
}
