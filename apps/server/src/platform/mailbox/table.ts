import { bigserial, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Messages for channels without an external provider: stored for a while so that users can read them. */
export const mailboxTable = pgTable(
  'outbox_messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    channel: text('channel').$type<MessageChannel>().notNull(),
    /** An email address, a phone number in international format, or a digest of a device token. */
    to: text('to').notNull(),
    /** The purpose of the message, such as `verify_email`. */
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    /** An email as a page; null for other channels. */
    html: text('html'),
    /** Parameters of the text: codes, links. */
    params: jsonb('params').$type<Record<string, string>>().notNull(),
  },
  (t) => [index('outbox_messages_at').on(t.at), index('outbox_messages_to').on(t.to, t.id)],
)

export type MessageChannel = 'mail' | 'sms' | 'push'

/** Messages by day (UTC): of a channel, of a user, and to an address. Kept for two days. */
export const messageCountsTable = pgTable(
  'message_counts',
  {
    day: date('day', { mode: 'string' }).notNull(),
    /** The channel, with `total`, with `single` for what one person's limit held back, or with a digest of the user or address. */
    key: text('key').notNull(),
    sent: integer('sent').notNull().default(0),
    /** Messages that were not sent because of a limit; only counted for `total` and `single`. */
    dropped: integer('dropped').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.day, t.key] })],
)
