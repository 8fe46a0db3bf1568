import { sql } from 'drizzle-orm'
import { index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'

/** Messages to a recipient: the parcel is coming, and how the stop ended. */
export const recipientTexts = ['coming', 'outcome'] as const
export type RecipientText = (typeof recipientTexts)[number]

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
    /** The number of the recipient's stop; null for a link of the sender or rider. */
    stop: smallint('stop'),
    /** What the recipient was sent with this link, once it was sent. */
    told: text('told', { enum: recipientTexts }),
  },
  (t) => [
    index('trip_links_active').on(t.booking_id).where(sql`${t.revoked_at} is null`),
    index('trip_links_of_stop').on(t.booking_id, t.stop).where(sql`${t.stop} is not null`),
  ],
)
