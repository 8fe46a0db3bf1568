import type { Actor } from '@hansom/domain/access/relation'
import { announcementNotice, pushReceivers } from '@hansom/domain/push-notifications/push-notification'
import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { Unreached } from '../devices/outcomes.ts'
import type { DevicesService } from '../devices/service.ts'
import type { UsersService } from '../users/service.ts'
import { usersTable } from '../users/table.ts'
import { type PushNotificationRow, pushSendsTable } from './table.ts'

export interface SendBatchDeps {
  database: Database
  clock: Clock
  users: Pick<UsersService, 'notify'>
}

const batchSize = 200
/** The screen that an admin notification opens. */
const screen = 'BookedCab'

/**
 * Stores the notification for the next batch of users, which queues it for their devices, and the progress, in one
 * transaction; true when more may follow. Of two concurrent runs of one batch only one counts: the other finds that the
 * progress has moved on.
 */
export async function sendBatch({ database, clock, users }: SendBatchDeps, id: string): Promise<boolean> {
  const { db } = database
  const [send] = await db
    .select()
    .from(pushSendsTable)
    .where(and(eq(pushSendsTable.id, id), isNull(pushSendsTable.finished_at)))
  if (send === undefined) return false
  const people = await nextReceivers(db, send, send.last_user, batchSize)
  const isLast = people.length < batchSize
  const { title, body } = send
  const { platforms, withoutDevice } = pushReceivers(send)
  const isNext = and(
    eq(pushSendsTable.id, id),
    isNull(pushSendsTable.finished_at),
    sql`${pushSendsTable.last_user} is not distinct from ${send.last_user}`,
  )
  const moved = await database.withTransaction(async (tx) => {
    const locked = await tx.db.select().from(pushSendsTable).where(isNext).for('update')
    if (locked.length === 0) return false
    await users.notify(
      tx,
      people.map((user_id) => ({
        user_id,
        at: clock.now(),
        title: `notify.${announcementNotice}.title`,
        msg: `notify.${announcementNotice}.msg`,
        params: { title, body },
        screen,
        dedupe: `push:${id}:${user_id}`,
        origin: id,
        // For all devices, computers get it, too.
        ...(withoutDevice ? {} : { platforms }),
      })),
    )
    const queued = await countQueued(tx, id, people)
    const { done, failed, listed } = pushSendsTable
    await tx.db
      .update(pushSendsTable)
      .set({
        done: sql`${done} + ${queued}`,
        listed: sql`${listed} + ${people.length - queued}`,
        last_user: people.at(-1) ?? send.last_user,
        // Includes users who came or left while it was sent.
        ...(isLast && {
          total: sql`${done} + ${failed} + ${listed} + ${people.length}`,
          finished_at: clock.now(),
        }),
      })
      .where(eq(pushSendsTable.id, id))
    return true
  })
  return !moved || !isLast
}

/** The number of these users for whose devices the send was queued: not those who mute it or have none. */
async function countQueued(
  { client }: Transaction,
  send: string,
  people: readonly string[],
): Promise<number> {
  const reply = await client.query<{ count: number }>(
    'select count(distinct user_id)::int as count from queued_sends where origin = $1 and user_id = any($2)',
    [send, people],
  )
  return reply.rows[0]?.count ?? 0
}

/** Counts users as failed whom a send reached on none of their devices. */
export async function countUnreached(
  { client }: Transaction,
  unreached: readonly Unreached[],
): Promise<void> {
  await client.query(
    `update push_sends s set done = s.done - q.users, failed = s.failed + q.users
      from (select origin::uuid, count(*)::int as users from unnest($1::text[]) as origin group by 1) q
      where s.id = q.origin`,
    [unreached.map(({ origin }) => origin)],
  )
}

type Matched = Pick<PushNotificationRow, 'devicetype' | 'usertype'>

/** SQL: the user has a device of the platforms, or any device when they are null. */
const hasDevice = (platforms: readonly string[] | null): SQL =>
  sql`exists (select from user_devices d where d.user_id = ${usersTable.id}
    ${platforms === null ? sql`` : sql`and d.platform in ${[...platforms]}`})`

/** Users of the type, approved or not, with a device of the platform or, for all devices, without one. Guests have no list. */
function matching(notification: Matched) {
  const { usertypes, platforms, withoutDevice } = pushReceivers(notification)
  return and(
    inArray(usersTable.usertype, usertypes),
    isNull(usersTable.deleted_at),
    isNotNull(usersTable.email),
    withoutDevice ? undefined : hasDevice(platforms),
  )
}

/** The number of people a notification reaches, and of those with a device. */
export async function readReach(
  db: Queries,
  notification: Matched,
): Promise<{ people: number; devices: number }> {
  const [row] = await db
    .select({
      people: sql<number>`count(*)::int`,
      devices: sql<number>`(count(*) filter (where ${hasDevice(null)}))::int`,
    })
    .from(usersTable)
    .where(matching(notification))
  return row ?? { people: 0, devices: 0 }
}

/** Returns the ids of the next users after one. */
async function nextReceivers(db: Queries, notification: Matched, after: string | null, limit: number) {
  const rows = await db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(matching(notification), after === null ? undefined : gt(usersTable.id, after)))
    .orderBy(asc(usersTable.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/**
 * The function at its specified path: admins send to any device, everyone else to their own. Throws no_user_match for a
 * token of no user or of another one.
 */
export function sendNotificationFunction({ functions }: Os, devices: Pick<DevicesService, 'sendTo'>) {
  return {
    sendNotification: functions.sendNotification.use(signedIn).handler(async ({ context, input }) => {
      const { id, role }: Actor = context.actor
      const { token, title, msg, screen: opened = screen } = input
      await devices.sendTo(token, role === 'admin' ? null : id, { title, body: msg, screen: opened })
      return { success: true } as const
    }),
  }
}
