import { sql } from 'drizzle-orm'
import { bigint, boolean, check, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** The current server's term; one row (see ServerTerm). */
export const serverTermTable = pgTable(
  'server_term',
  {
    only: boolean('only').primaryKey().default(true),
    term: bigint('term', { mode: 'number' }).notNull(),
    /** Several servers use the database, none of them alone. */
    isShared: boolean('is_shared').notNull().default(false),
  },
  (t) => [check('server_term_only', sql`${t.only}`)],
)

/** The servers that share the database. Each renews its row; one that stopped renewing is removed by another. */
export const serversTable = pgTable('servers', {
  id: uuid('id').primaryKey(),
  /** Host and process, for operators. */
  name: text('name').notNull(),
  since: bigint('since', { mode: 'number' }).notNull(),
  /** When it was last renewed, epoch ms of the database. */
  renewedAt: bigint('renewed_at', { mode: 'number' }).notNull(),
})

/** Work that one server does at a time, and the server that does it (see takeLease). */
export const leasesTable = pgTable('leases', {
  name: text('name').primaryKey(),
  /** Grows with every holder: what an earlier one writes late is refused. */
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
  /** Until when the holder has it without renewing it, epoch ms of the database. */
  until: bigint('until', { mode: 'number' }).notNull(),
})
