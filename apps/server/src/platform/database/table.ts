import { sql } from 'drizzle-orm'
import { bigint, boolean, check, pgTable } from 'drizzle-orm/pg-core'

/** The current server's term; one row (see ServerTerm). */
export const serverTermTable = pgTable(
  'server_term',
  {
    only: boolean('only').primaryKey().default(true),
    term: bigint('term', { mode: 'number' }).notNull(),
  },
  (t) => [check('server_term_only', sql`${t.only}`)],
)
