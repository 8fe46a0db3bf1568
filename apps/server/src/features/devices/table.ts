import type { DeviceKind } from '@hansom/domain/devices/device'
import type { NotificationKind } from '@hansom/domain/notifications/kinds'
import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { authSessionsTable } from '../accounts/table.ts'
import { usersTable } from '../users/table.ts'
import type { QueuedNotification } from './queue.ts'

/** Devices that receive push messages. The newest of a user is the specification's `pushToken` and `userPlatform`. */
export const pushDevicesTable = pgTable(
  'push_devices',
  {
    id: uuid('id').primaryKey(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    /** A device ends with its session. Null: made by the demo. */
    session_id: uuid('session_id').references(() => authSessionsTable.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<DeviceKind>().notNull(),
    /** A web subscription's endpoint, or the token of an app. Secret: anyone who has it can send. */
    token: text('token').notNull().unique(),
    /** Keys of a web subscription, base64url (RFC 8291). */
    p256dh: text('p256dh'),
    auth: text('auth'),
    /** Null for a computer. */
    platform: text('platform').$type<PushPlatform>(),
    locale: text('locale'),
    /** It can be told to close a notification. */
    closable: boolean('closable').notNull(),
    created_at: instant('created_at').notNull(),
    seen_at: instant('seen_at').notNull(),
  },
  (t) => [
    check('push_devices_kind', sql`${t.kind} in ('web', 'fcm', 'expo')`),
    check(
      'push_devices_keys',
      sql`(${t.kind} = 'web') = (${t.p256dh} is not null and ${t.auth} is not null)`,
    ),
    check('push_devices_platform', sql`${t.platform} in ('ANDROID', 'IOS')`),
    index('push_devices_user').on(t.user_id, t.seen_at.desc(), t.id.desc()),
    index('push_devices_session').on(t.session_id).where(sql`${t.session_id} is not null`),
  ],
)

/** The kinds of notifications that a user has muted. */
export const pushPreferencesTable = pgTable('push_preferences', {
  user_id: uuid('user_id')
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  muted: text('muted').array().$type<NotificationKind[]>().notNull(),
})

/**
 * Messages to be sent, one row per device, written in the transaction of their cause and removed once the push service
 * accepted them. Times are real, by the database's clock.
 */
export const pushDeliveriesTable = pgTable(
  'push_deliveries',
  {
    id: uuid('id').primaryKey(),
    device_id: uuid('device_id')
      .notNull()
      .references(() => pushDevicesTable.id, { onDelete: 'cascade' }),
    tag: text('tag').notNull(),
    /** Null: closes the notification with this tag. */
    content: jsonb('content').$type<QueuedNotification>(),
    /** Sent before others. */
    urgent: boolean('urgent').notNull(),
    /** Not sent any more at this time, ms. */
    expires_at: instant('expires_at').notNull(),
    /** Due time, ms. A sender that takes a row moves it ahead, so another one takes over when it dies. */
    not_before: instant('not_before').notNull(),
    tries: integer('tries').notNull().default(0),
    /** The send of an admin that it belongs to. */
    origin: uuid('origin'),
    /** Another device of the user has accepted the same message of `origin`. */
    reached: boolean('reached').notNull().default(false),
  },
  (t) => [
    index('push_deliveries_due').on(t.urgent, t.not_before),
    index('push_deliveries_device').on(t.device_id, t.tag),
    index('push_deliveries_origin').on(t.origin).where(sql`${t.origin} is not null`),
  ],
)

/** Notifications that a device shows and that may have to be closed, until `expires_at`. */
export const pushShownTable = pgTable(
  'push_shown',
  {
    device_id: uuid('device_id')
      .notNull()
      .references(() => pushDevicesTable.id, { onDelete: 'cascade' }),
    tag: text('tag').notNull(),
    /** The newest notification with this tag; null: not in the list. */
    notification_id: uuid('notification_id'),
    expires_at: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.tag] }), index('push_shown_expires').on(t.expires_at)],
)
