import { and, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import { searchPatterns } from '../../../platform/tables/search-patterns.ts'

/** So many are found in an index or along an order sooner by their ids than by looking at the words of each. */
const few = 10_000

/**
 * The ids of the people in whom all words occur, when those are not many; null without words, or when they are. Words that
 * come late in an order (who is called Zulema, by name) would otherwise be looked for in everybody before them, and the
 * planner cannot know.
 */
export async function findFew(
  queries: Queries,
  words: string,
  hidesContacts: boolean,
): Promise<readonly string[] | null> {
  const patterns = searchPatterns(words)
  if (patterns.length === 0) return null
  const folded = patterns.map((pattern) => sql`search_fold(${pattern}::text)`)
  const { rows } = await queries.execute<{ id: string }>(
    sql`select s.user_id as id from user_search s where ${wordsOccur(folded, hidesContacts)} limit ${few + 1}`,
  )
  return rows.length > few ? null : rows.map(({ id }) => id)
}

/** That all patterns fit a row `s` of user_search; without the contacts where those are hidden. */
export function wordsOccur(patterns: readonly SQL[], hidesContacts: boolean): SQL {
  const each = patterns.map((pattern) =>
    hidesContacts
      ? sql`s.names like ${pattern}`
      : sql`(s.names like ${pattern} or s.contacts like ${pattern})`,
  )
  return and(...each) ?? sql`true`
}
