import { pushNotificationsTableSpec as spec } from '@hansom/contract/push-notifications-table'
import type { pushDeviceTypes, pushUserTypes } from '@hansom/domain/push-notifications/push-notification'
import { inArray, sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'
import { usersTable } from '../users/table.ts'

const content = () => ({
  devicetype: text('devicetype').$type<(typeof pushDeviceTypes)[number]>().notNull(),
  usertype: text('usertype').$type<(typeof pushUserTypes)[number]>().notNull(),
  title: text('title').notNull(),
  body: text('body').notNull(),
})

export const pushNotificationsTable = pgTable(
  'push_notifications',
  {
    id: uuid('id').primaryKey(),
    ...content(),
    createdAt: instant('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('push_notifications_devicetype', sql`${t.devicetype} in ('All', 'ANDROID', 'IOS')`),
    check('push_notifications_usertype', sql`${t.usertype} in ('All', 'rider', 'driver')`),
    index('push_notifications_recent').on(t.createdAt.desc(), t.id.desc()),
    index('push_notifications_title').on(t.title.desc(), t.id.desc()),
    index('push_notifications_devices').on(t.devicetype, t.createdAt.desc(), t.id.desc()),
    index('push_notifications_users').on(t.usertype, t.createdAt.desc(), t.id.desc()),
    index('push_notifications_search').using(
      'gin',
      sql`search_fold(' ' || ${t.title} || ' ' || ${t.body}) gin_trgm_ops`,
    ),
  ],
)
export type PushNotificationRow = typeof pushNotificationsTable.$inferSelect

/**
 * One row per send, with the content sent. `last_user` is its progress: users are sent to in the order of their ids.
 */
export const pushSendsTable = pgTable(
  'push_sends',
  {
    id: uuid('id').primaryKey(),
    notification_id: uuid('notification_id')
      .notNull()
      .references(() => pushNotificationsTable.id, { onDelete: 'cascade' }),
    by_user: uuid('by_user')
      .notNull()
      .references(() => usersTable.id),
    ...content(),
    at: instant('at').notNull(),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    listed: integer('listed').notNull().default(0),
    last_user: uuid('last_user'),
    finished_at: instant('finished_at'),
  },
  (t) => [
    uniqueIndex('push_sends_one_under_way').on(t.notification_id).where(sql`${t.finished_at} is null`),
    index('push_sends_notification').on(t.notification_id, t.id.desc()),
  ],
)

/** Sorts, filters and search of the admin table. */
export const pushNotificationsTableColumns = {
  spec,
  columns: {
    id: pushNotificationsTable.id,
    sorts: {
      createdAt: { sql: pushNotificationsTable.createdAt, type: 'int8' },
      title: { sql: pushNotificationsTable.title, type: 'text' },
    },
    filters: {
      devicetype: (asked) => inArray(pushNotificationsTable.devicetype, [...asked]),
      usertype: (asked) => inArray(pushNotificationsTable.usertype, [...asked]),
    },
    search: sql`search_fold(' ' || ${pushNotificationsTable.title} || ' ' || ${pushNotificationsTable.body})`,
  },
} satisfies Table<typeof spec>
