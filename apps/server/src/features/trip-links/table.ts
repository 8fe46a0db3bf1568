import { recipientMessages } from '@hansom/domain/deliveries/recipient-messages'
import { sql } from 'drizzle-orm'
import {
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'

/** Links to trips, and the messages to recipients, which have one each. Only people who have the link know its token. */
export const tripLinksTable = pgTable(
  'trip_links',
  {
    /** SHA-256 of the token, hex. */
    token_hash: text('token_hash').primaryKey(),
    /** For a message: the first booking of those that replace each other. */
    booking_id: uuid('booking_id')
      .notNull()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    created_at: instant('created_at').notNull(),
    revoked_at: instant('revoked_at'),
    /** The number of the recipient's stop; null for a link of the sender or rider. */
    stop: smallint('stop'),
    /** The message to the recipient that has this link. */
    message: text('message', { enum: recipientMessages }),
    /** When the message was sent; until then a retry replaces the token. */
    sent_at: instant('sent_at'),
  },
  (t) => [
    index('trip_links_active').on(t.booking_id).where(sql`${t.revoked_at} is null`),
    uniqueIndex('trip_links_once')
      .on(t.booking_id, t.stop, t.message)
      .where(sql`${t.stop} is not null and ${t.revoked_at} is null`),
    check('trip_links_message', sql`(${t.stop} is null) = (${t.message} is null)`),
  ],
)

/** Messages to recipients by day of the city: of a sender, and to an address. Kept for two days. */
export const recipientMessageCountsTable = pgTable(
  'recipient_message_counts',
  {
    day: date('day', { mode: 'string' }).notNull(),
    /** The sender's id with `mails` or `texts`, or the digest of the recipient's address. */
    key: text('key').notNull(),
    sent: integer('sent').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.key] })],
)
