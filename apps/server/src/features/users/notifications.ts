import { id as uuid } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import type { Ended } from '@hansom/domain/notifications/endings'
import {
  kindOfNotification,
  maxUnread,
  type NotificationKind,
  notificationKinds,
  titlesOf,
} from '@hansom/domain/notifications/kinds'
import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { and, count, desc, eq, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import { uuidv7 } from 'uuidv7'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { notificationKeysTable, userNotificationsTable, usersTable } from './table.ts'

/** How a notification reaches the receiver's devices; not stored. */
interface Delivery {
  /** When a request expires, epoch ms; null or omitted for others. */
  expires_at?: number | null
  /** Only devices of these platforms; all when omitted. */
  platforms?: readonly PushPlatform[]
  /** The send of an admin that it belongs to. */
  origin?: string
}

/** A notification to store: text keys with their parameters, and the screen it opens. */
export type NewNotification = Omit<typeof userNotificationsTable.$inferInsert, 'id'> & Delivery

export type StoredNotification = typeof userNotificationsTable.$inferSelect & Delivery

/** Notifications that a user has read, in a session if it is known. */
export interface ReadNotifications {
  userId: string
  ids: readonly string[]
  session: string | null
}

const pageSize = 30

/**
 * Stores notifications that are not stored yet, and returns them. A guest has no list to read them in, and gets none.
 */
export async function storeNotifications(
  { db }: Pick<Transaction, 'db'>,
  notifications: readonly NewNotification[],
): Promise<StoredNotification[]> {
  if (notifications.length === 0) return []
  const once = [...new Map(notifications.map((one) => [one.dedupe, one])).values()]
  const rows = once.map((one) => {
    const { params = {}, booking_id = null, read_at = null } = one
    return { ...one, params, booking_id, read_at, id: uuidv7() }
  })
  // Uses one statement, because a key without its notification would suppress it forever.
  const stored = await db.execute<{ id: string }>(sql`with given as (
      select n.* from jsonb_populate_recordset(null::${userNotificationsTable}, ${JSON.stringify(rows)}::jsonb) n
        where exists (select from ${usersTable} u where u.id = n.user_id and u.email is not null)),
    fresh as (
      insert into ${notificationKeysTable} (dedupe, at) select dedupe, at from given on conflict do nothing
        returning dedupe)
    insert into ${userNotificationsTable} select given.* from given join fresh using (dedupe) returning id`)
  const ids = new Set(stored.rows.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}

export interface NotificationsWanted {
  /** The id of the last one already shown. */
  cursor?: string | undefined
  kind?: NotificationKind | undefined
  unread?: boolean | undefined
}

/** Newest first, with the number of all unread ones, counted up to `maxUnread`. */
export async function listNotifications(
  queries: Queries,
  userId: string,
  { cursor, kind, unread }: NotificationsWanted,
) {
  if (cursor !== undefined && !uuid.safeParse(cursor).success) {
    throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
  }
  const rows = await queries
    .select()
    .from(userNotificationsTable)
    .where(
      and(
        eq(userNotificationsTable.user_id, userId),
        cursor === undefined ? undefined : lt(userNotificationsTable.id, cursor),
        kind === undefined ? undefined : isOfKind(kind),
        unread ? isNull(userNotificationsTable.read_at) : undefined,
      ),
    )
    .orderBy(desc(userNotificationsTable.id))
    .limit(pageSize + 1)
  const items = rows.slice(0, pageSize).map((row) => ({
    id: row.id,
    at: row.at,
    title: row.title,
    msg: row.msg,
    kind: kindOfNotification(row),
    params: row.params,
    screen: row.screen,
    booking: row.booking_id,
    read: row.read_at !== null,
  }))
  const next = rows.length > pageSize ? (items.at(-1)?.id ?? null) : null
  return { items, next, unread: await countUnread(queries, userId) }
}

/** Unknown titles are news, as in `kindOfNotification`. */
function isOfKind(kind: NotificationKind) {
  const { title } = userNotificationsTable
  if (kind !== 'news') return inArray(title, titlesOf(kind))
  return notInArray(title, notificationKinds.filter((other) => other !== kind).flatMap(titlesOf))
}

async function countUnread(queries: Queries, userId: string): Promise<number> {
  const some = queries
    .select({ one: sql`1` })
    .from(userNotificationsTable)
    .where(and(eq(userNotificationsTable.user_id, userId), isNull(userNotificationsTable.read_at)))
    .limit(maxUnread)
    .as('unread')
  const [row] = await queries.select({ count: count() }).from(some)
  return row?.count ?? 0
}

/** Returns those of some notifications that the user has not read, newest first. */
export function readUnread(queries: Queries, userId: string, ids: readonly string[]) {
  const { id, title, msg, params, screen, booking_id, user_id, read_at } = userNotificationsTable
  return queries
    .select({ title, msg, params, screen, booking: booking_id })
    .from(userNotificationsTable)
    .where(and(eq(user_id, userId), inArray(id, [...ids]), isNull(read_at)))
    .orderBy(desc(id))
}

/** Marks notifications of the user as read, all of them without `ids`; returns the ids of those that were unread. */
export async function markRead(
  queries: Queries,
  userId: string,
  now: number,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  const read = await queries
    .update(userNotificationsTable)
    .set({ read_at: now })
    .where(
      and(
        eq(userNotificationsTable.user_id, userId),
        isNull(userNotificationsTable.read_at),
        ids && inArray(userNotificationsTable.id, [...ids]),
      ),
    )
    .returning({ id: userNotificationsTable.id })
  return read.map(({ id }) => id)
}

/**
 * Marks notifications as read that have ended, and those with `ids`; returns the ids of those that were unread by user. Rows
 * are locked in the order of their ids, so that two calls at the same time do not block each other.
 */
export async function endNotifications(
  { client }: Pick<Transaction, 'client'>,
  { ended = [], ids = [] }: { ended?: readonly Ended[]; ids?: readonly string[] },
  now: number,
): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ id: string; user_id: string }>({
    name: 'notifications-end',
    text: `with q as materialized (select * from jsonb_to_recordset($1::jsonb) as q(booking uuid, "user" uuid, titles text[])),
      found as materialized (
        select n.id, n.at, n.title, q.titles from q join user_notifications n on n.booking_id = q.booking
            and (q."user" is null or n.user_id = q."user") where n.read_at is null
        union all
        select n.id, n.at, n.title, q.titles from q join user_notifications n on n.user_id = q."user"
          where q.booking is null and n.read_at is null
        union all
        select id, at, title, null from user_notifications where id = any($2::uuid[]) and read_at is null),
      locked as materialized (
        select n.id, n.at from user_notifications n
          where (n.id, n.at) in (select id, at from found where titles is null or title = any(titles))
          order by n.id for update)
      update user_notifications n set read_at = $3 from locked
        where n.id = locked.id and n.at = locked.at and n.read_at is null returning n.id, n.user_id`,
    values: [JSON.stringify(ended), ids, now],
  })
  const byUser = new Map<string, string[]>()
  for (const { id, user_id } of rows) byUser.set(user_id, [...(byUser.get(user_id) ?? []), id])
  return byUser
}

/** Those of some users who have unread notifications with these titles. */
export async function readersOf(
  { client }: Pick<Transaction, 'client'>,
  users: readonly string[],
  titles: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'notifications-readers',
    text: `select distinct user_id as id from user_notifications
      where user_id = any($1::uuid[]) and title = any($2) and read_at is null`,
    values: [users, titles],
  })
  return rows.map(({ id }) => id)
}

/** Those of the users and bookings of whom a notification of this screen is unread. */
export async function unreadAbout(
  { client }: Pick<Transaction, 'client'>,
  about: readonly { user: string; booking: string }[],
  screen: string,
): Promise<{ user: string; booking: string }[]> {
  if (about.length === 0) return []
  const { rows } = await client.query<{ user: string; booking: string }>({
    name: 'notifications-unread-about',
    text: `select n.user_id as "user", n.booking_id as booking
      from user_notifications n join unnest($1::uuid[], $2::uuid[]) as q("user", booking)
        on n.booking_id = q.booking and n.user_id = q."user" where n.screen = $3 and n.read_at is null`,
    values: [about.map(({ user }) => user), about.map(({ booking }) => booking), screen],
  })
  return rows
}

/** Removes notifications of one screen about bookings that their users have read: new ones take their place. */
export async function removeReadAbout(
  { client }: Pick<Transaction, 'client'>,
  about: readonly { user: string; booking: string }[],
  screen: string,
): Promise<void> {
  await client.query({
    name: 'notifications-remove-read',
    text: `delete from user_notifications n using unnest($1::uuid[], $2::uuid[]) as q("user", booking)
      where n.booking_id = q.booking and n.user_id = q."user" and n.screen = $3 and n.read_at is not null`,
    values: [about.map(({ user }) => user), about.map(({ booking }) => booking), screen],
  })
}

/** Removes the notifications of one screen about bookings. */
export async function removeAbout(
  client: Pool | PoolClient,
  bookings: readonly string[],
  screen: string,
): Promise<void> {
  await client.query('delete from user_notifications where booking_id = any($1::uuid[]) and screen = $2', [
    bookings,
    screen,
  ])
}

/** Replaces a deleted driver's name in the notifications about their trips. */
export async function replaceDriverName(
  { client }: Pick<Transaction, 'client'>,
  bookings: readonly string[],
  name: string,
): Promise<void> {
  await client.query(
    `update user_notifications set params = params || jsonb_build_object('driver_name', $2::text)
      where booking_id = any($1::uuid[]) and params ? 'driver_name'`,
    [bookings, name],
  )
}
