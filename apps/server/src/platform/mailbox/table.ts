import { bigserial, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Messages that no outside service carries: kept for a while, so that somebody can read them. */
export const mailboxTable = pgTable(
  'outbox_messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    channel: text('channel').$type<MessageChannel>().notNull(),
    /** An e-mail address, a phone number in international form, or a device's token. */
    to: text('to').notNull(),
    /** What the message is for, such as `verify_email`. */
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    /** What was put into the text: codes, links. */
    params: jsonb('params').$type<Record<string, string>>().notNull(),
  },
  (t) => [index('outbox_messages_at').on(t.at), index('outbox_messages_to').on(t.to, t.id)],
)

export type MessageChannel = 'mail' | 'sms' | 'push'
