import type { MailTopic } from '@hansom/domain/messages/topics'
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { usersTable } from '../users/table.ts'

/** What riders chose to get; without a row, the defaults. */
export const messagePreferencesTable = pgTable('message_preferences', {
  user_id: uuid('user_id')
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  /** Emails that are off, so that a kind added later is on. */
  mails_off: text('mails_off').array().$type<MailTopic[]>().notNull(),
  texts: boolean('texts').notNull(),
})

/** Messages that were sent, or are being sent, by occasion. Kept until no job can repeat them. */
export const sentMessagesTable = pgTable(
  'sent_messages',
  {
    occasion: text('occasion').primaryKey(),
    /** When a job took it to send it; another one may after the lease. */
    taken_at: instant('taken_at').notNull(),
    sent_at: instant('sent_at'),
  },
  (t) => [index('sent_messages_taken').on(t.taken_at)],
)
