import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import {
  announcementNotice,
  type PushPlatform,
  pushReceivers,
} from '@hansom/domain/push-notifications/push-notification'
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { type Push, PushError } from '../../adapters/push/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { Log } from '../../platform/log/log.ts'
import type { UsersService } from '../users/service.ts'
import { usersTable } from '../users/table.ts'
import { type PushNotificationRow, pushSendsTable } from './table.ts'

export interface SendBatchDeps {
  database: Database
  clock: Clock
  log: Pick<Log, 'info'>
  push: Push
  users: Pick<UsersService, 'notify'>
}

const batchSize = 200
const atOnce = 20
/** The screen that an admin notification opens. */
const screen = 'BookedCab'

/**
 * Sends to the next batch of users and stores the progress; true when more may follow. Of two concurrent runs of one
 * batch only one counts: the other finds that the progress has moved on. After a crash a device may get a message
 * twice; the user's notification list shows it once.
 */
export async function sendBatch(deps: SendBatchDeps, id: string): Promise<boolean> {
  const { database, clock, users } = deps
  const { db } = database
  const [send] = await db
    .select()
    .from(pushSendsTable)
    .where(and(eq(pushSendsTable.id, id), isNull(pushSendsTable.finished_at)))
  if (send === undefined) return false
  const people = await nextReceivers(db, send, send.last_user, batchSize)
  const gone = await handOver(deps, send, people)
  const listed = people.filter(({ token }) => token === null).length
  const isLast = people.length < batchSize
  const { title, body } = send
  const moved = await database.withTransaction(async (tx) => {
    const { rowCount } = await tx.db
      .update(pushSendsTable)
      .set({
        done: sql`${pushSendsTable.done} + ${people.length - listed - gone.length}`,
        listed: sql`${pushSendsTable.listed} + ${listed}`,
        failed: sql`${pushSendsTable.failed} + ${gone.length}`,
        last_user: people.at(-1)?.id ?? send.last_user,
        // Includes users who came or left while it was sent.
        ...(isLast && {
          total: sql`${pushSendsTable.done} + ${pushSendsTable.failed} + ${pushSendsTable.listed} + ${people.length}`,
          finished_at: clock.now(),
        }),
      })
      .where(
        and(
          eq(pushSendsTable.id, id),
          isNull(pushSendsTable.finished_at),
          sql`${pushSendsTable.last_user} is not distinct from ${send.last_user}`,
        ),
      )
    if (rowCount === 0) return false
    await users.notify(
      tx,
      people.map((user) => ({
        user_id: user.id,
        at: clock.now(),
        title: `notify.${announcementNotice}.title`,
        msg: `notify.${announcementNotice}.msg`,
        params: { title, body },
        screen,
        dedupe: `push:${id}:${user.id}`,
      })),
    )
    if (gone.length > 0) {
      await tx.db
        .update(usersTable)
        .set({ pushToken: null, userPlatform: null })
        .where(
          and(
            inArray(
              usersTable.id,
              gone.map((user) => user.id),
            ),
            inArray(
              usersTable.pushToken,
              gone.map((user) => user.token),
            ),
          ),
        )
    }
    return true
  })
  return !moved || !isLast
}

/**
 * Returns the users whose device is no longer registered. Throws when the push service fails, so the batch is retried.
 */
async function handOver(
  { push, log }: SendBatchDeps,
  { title, body }: { title: string; body: string },
  people: Awaited<ReturnType<typeof nextReceivers>>,
): Promise<{ id: string; token: string }[]> {
  const gone: { id: string; token: string }[] = []
  for (let start = 0; start < people.length; start += atOnce) {
    await Promise.all(
      people.slice(start, start + atOnce).map(async ({ id, token, platform }) => {
        if (token === null) return
        try {
          await push.send({ token, platform: platform as PushPlatform, title, body, screen })
        } catch (error) {
          if (!(error instanceof PushError) || !error.isUnregistered) throw error
          log.info({ user: id }, 'device is no longer registered')
          gone.push({ id, token })
        }
      }),
    )
  }
  return gone
}

type Matched = Pick<PushNotificationRow, 'devicetype' | 'usertype'>

/** Users of the type, approved or not, with a device of the platform or, for all devices, without one. Guests have no list. */
function matching(notification: Matched) {
  const { usertypes, platforms, withoutDevice } = pushReceivers(notification)
  return and(
    inArray(usersTable.usertype, usertypes),
    isNull(usersTable.deleted_at),
    isNotNull(usersTable.email),
    or(
      and(isNotNull(usersTable.pushToken), inArray(usersTable.userPlatform, platforms)),
      withoutDevice ? isNull(usersTable.pushToken) : undefined,
    ),
  )
}

/** The number of people a notification reaches, and of those with a device. */
export async function readReach(
  db: Queries,
  notification: Matched,
): Promise<{ people: number; devices: number }> {
  const [row] = await db
    .select({ people: count(), devices: count(usersTable.pushToken) })
    .from(usersTable)
    .where(matching(notification))
  return row ?? { people: 0, devices: 0 }
}

/** Returns the next users after one, ordered by id. */
function nextReceivers(db: Queries, notification: Matched, after: string | null, limit: number) {
  return db
    .select({ id: usersTable.id, token: usersTable.pushToken, platform: usersTable.userPlatform })
    .from(usersTable)
    .where(and(matching(notification), after === null ? undefined : gt(usersTable.id, after)))
    .orderBy(asc(usersTable.id))
    .limit(limit)
}

export interface SendToDeviceDeps {
  database: Database
  push: Push
}

interface DeviceMessage {
  token: string
  title: string
  msg: string
  screen?: string | undefined
}

const defaultScreen = 'BookedCab'

/**
 * Sends a notification to one device: admins to any, everyone else to their own. Throws no_user_match for a token of no
 * user or of another one, and unavailable when the push service fails.
 */
async function sendToDevice(
  { database, push }: SendToDeviceDeps,
  sender: Actor,
  { token, title, msg, screen = defaultScreen }: DeviceMessage,
): Promise<void> {
  const isOwn = sender.role === 'admin' ? undefined : eq(usersTable.id, sender.id)
  const [receiver] = await database.db
    .select({ platform: usersTable.userPlatform })
    .from(usersTable)
    .where(and(eq(usersTable.pushToken, token), isNull(usersTable.deleted_at), isOwn))
    .limit(1)
  if (receiver === undefined) throw new Refusal('no_user_match')
  try {
    await push.send({ token, platform: receiver.platform as PushPlatform, title, body: msg, screen })
  } catch (error) {
    if (!(error instanceof PushError)) throw error
    throw new Refusal(error.isUnregistered ? 'no_user_match' : 'unavailable')
  }
}

/** The function at its specified path. */
export function sendNotificationFunction({ functions }: Os, deps: SendToDeviceDeps) {
  return {
    sendNotification: functions.sendNotification.use(signedIn).handler(async ({ context, input }) => {
      await sendToDevice(deps, context.actor, input)
      return { success: true } as const
    }),
  }
}
