import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'

/** Links to trips. Only people who have the link know its token. */
export const tripLinksTable = pgTable(
  'trip_links',
  {
    /** SHA-256 of the token, hex. */
    token_hash: text('token_hash').primaryKey(),
    booking_id: uuid('booking_id')
      .notNull()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    created_at: instant('created_at').notNull(),
    revoked_at: instant('revoked_at'),
  },
  (t) => [index('trip_links_active').on(t.booking_id).where(sql`${t.revoked_at} is null`)],
)
