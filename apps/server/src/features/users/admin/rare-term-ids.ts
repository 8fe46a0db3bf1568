import { and, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import { searchPatterns } from '../../../platform/tables/where.ts'

/** Up to this many matches, filtering by id is faster than matching each row's text. */
const maxRare = 10_000

/**
 * Returns the ids of the users who match all terms when they are few; null without terms, or when they are many.
 * Otherwise a rare term that comes late in the sort order (users called Zulema, by name) would be searched in all rows
 * before it, which the planner cannot know.
 */
export async function findRareTermIds(
  queries: Queries,
  words: string,
  hidesContacts: boolean,
): Promise<readonly string[] | null> {
  const patterns = searchPatterns(words)
  if (patterns.length === 0) return null
  const folded = patterns.map((pattern) => sql`search_fold(${pattern}::text)`)
  const { rows } = await queries.execute<{ id: string }>(
    sql`select s.user_id as id from user_search s where ${termsMatch(folded, hidesContacts)} limit ${maxRare + 1}`,
  )
  return rows.length > maxRare ? null : rows.map(({ id }) => id)
}

/** Condition that all patterns match a row `s` of user_search; without contacts where those are hidden. */
export function termsMatch(patterns: readonly SQL[], hidesContacts: boolean): SQL {
  const each = patterns.map((pattern) =>
    hidesContacts
      ? sql`s.names like ${pattern}`
      : sql`(s.names like ${pattern} or s.contacts like ${pattern})`,
  )
  return and(...each) ?? sql`true`
}
