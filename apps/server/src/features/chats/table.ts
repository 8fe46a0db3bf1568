import { chatSides, messageKinds, reportReasons } from '@hansom/domain/chats/chat'
import { quickReplies } from '@hansom/domain/chats/quick-replies'
import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'
import { usersTable } from '../users/table.ts'

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0)

/** A conversation of a booking's rider with one of its drivers: a later driver has one of their own. */
export const chatsTable = pgTable(
  'chats',
  {
    booking_id: uuid('booking_id')
      .notNull()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    driver_id: uuid('driver_id')
      .notNull()
      .references(() => usersTable.id),
    created_at: instant('created_at').notNull(),
    /** The number of the last message; its row lock orders the messages. */
    last_seq: count('last_seq'),
    photos: integer('photos').notNull().default(0),
    /** The last messages that each person has received and read. */
    rider_delivered: count('rider_delivered'),
    rider_read: count('rider_read'),
    driver_delivered: count('driver_delivered'),
    driver_read: count('driver_read'),
    /** When one person blocked the other; null if they did not. */
    rider_blocked_at: instant('rider_blocked_at'),
    driver_blocked_at: instant('driver_blocked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.booking_id, t.driver_id] }),
    index('chats_driver').on(t.driver_id, t.booking_id),
    check(
      'chats_marks',
      sql`0 <= ${t.rider_read} and ${t.rider_read} <= ${t.rider_delivered} and ${t.rider_delivered} <= ${t.last_seq}
        and 0 <= ${t.driver_read} and ${t.driver_read} <= ${t.driver_delivered} and ${t.driver_delivered} <= ${t.last_seq}`,
    ),
  ],
)

export const chatMessagesTable = pgTable(
  'chat_messages',
  {
    id: uuid('id').primaryKey(),
    booking_id: uuid('booking_id').notNull(),
    driver_id: uuid('driver_id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    from_user: uuid('from_user')
      .notNull()
      .references(() => usersTable.id),
    source: text('source', { enum: chatSides }).notNull(),
    kind: text('kind', { enum: messageKinds }).notNull(),
    message: text('message').notNull(),
    quick: text('quick', { enum: quickReplies }),
    /** The upload that the photo's file is named after. */
    photo: uuid('photo'),
    /** The client's own id of the message. */
    sms_id: text('sms_id').notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.booking_id, t.driver_id],
      foreignColumns: [chatsTable.booking_id, chatsTable.driver_id],
    }).onDelete('cascade'),
    unique('chat_messages_seq').on(t.booking_id, t.driver_id, t.seq),
    unique('chat_messages_once').on(t.booking_id, t.driver_id, t.from_user, t.sms_id),
    // A person's export and erasure.
    index('chat_messages_from').on(t.from_user, t.id),
    check('chat_messages_number', sql`${t.seq} > 0`),
    check(
      'chat_messages_content',
      sql`case ${t.kind} when 'text' then length(${t.message}) between 1 and 1000 else length(${t.message}) <= 1000 end
        and (${t.kind} = 'quick') = (${t.quick} is not null) and (${t.kind} = 'photo') = (${t.photo} is not null)
        and (${t.kind} in ('text', 'quick') or ${t.message} = '')`,
    ),
  ],
)

/** Conversations that one of the two has reported. */
export const chatReportsTable = pgTable(
  'chat_reports',
  {
    id: uuid('id').primaryKey(),
    booking_id: uuid('booking_id').notNull(),
    driver_id: uuid('driver_id').notNull(),
    by: text('by', { enum: chatSides }).notNull(),
    by_user: uuid('by_user')
      .notNull()
      .references(() => usersTable.id),
    reason: text('reason', { enum: reportReasons }).notNull(),
    note: text('note').notNull(),
    at: instant('at').notNull(),
    settled_at: instant('settled_at'),
    settled_by: uuid('settled_by').references(() => usersTable.id),
    settled_note: text('settled_note'),
  },
  (t) => [
    foreignKey({
      columns: [t.booking_id, t.driver_id],
      foreignColumns: [chatsTable.booking_id, chatsTable.driver_id],
    }).onDelete('cascade'),
    // One open report of each person.
    uniqueIndex('chat_reports_open').on(t.booking_id, t.driver_id, t.by).where(sql`${t.settled_at} is null`),
    index('chat_reports_latest').on(t.at.desc()).where(sql`${t.settled_at} is null`),
    index('chat_reports_by').on(t.by_user),
    check(
      'chat_reports_settled',
      sql`num_nulls(${t.settled_at}, ${t.settled_by}, ${t.settled_note}) in (0, 3)`,
    ),
  ],
)
