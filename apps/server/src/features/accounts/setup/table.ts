import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/database/columns.ts'

/** One row: the link that creates the first admin. Setting `done_at` closes it forever. */
export const setupTable = pgTable(
  'setup',
  {
    only: boolean('only').primaryKey().default(true),
    /** SHA-256 of the token in the link, hex. */
    token_hash: text('token_hash').notNull(),
    done_at: instant('done_at'),
  },
  (t) => [check('setup_only_row', sql`${t.only}`)],
)
