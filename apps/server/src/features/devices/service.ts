import type { DeviceView, NewDevice, PushPreferences } from '@hansom/contract/devices'
import type { IntegrationTest } from '@hansom/contract/integrations'
import { Refusal } from '@hansom/domain/error-keys'
import {
  kindOfNotification,
  type NotificationKind,
  pushRules,
  pushTag,
} from '@hansom/domain/notifications/kinds'
import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { Push } from '../../adapters/push/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { deleteInBatches, type Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { StoredNotification } from '../users/notifications.ts'
import type { UsersService } from '../users/service.ts'
import { type ComposeDeps, createComposer } from './compose.ts'
import type { Unreached } from './outcomes.ts'
import { readPreferences, savePreferences } from './preferences.ts'
import { probe, testPush } from './probe.ts'
import { closePushes, type Handled, type NewPush, queuePushes } from './queue.ts'
import {
  eraseDevices,
  listDevices,
  ownDevices,
  type RegistryDeps,
  readTokenOwner,
  registerDevice,
  removeDevice,
  removeTokens,
  setPushToken,
} from './registry.ts'
import { createSender, type Sender, type SenderDeps } from './sender.ts'

/** A notification for devices that is not in the user's list. */
export type UnlistedNotification = Pick<
  StoredNotification,
  'user_id' | 'at' | 'title' | 'msg' | 'params' | 'screen' | 'booking_id'
>

/** The devices of users, and the push messages to them. */
export interface DevicesService {
  /** The VAPID public key. */
  key(): string
  /** Throws invalid_input. See the contract. */
  register(actor: SessionActor, device: NewDevice): Promise<DeviceView>
  list(actor: SessionActor): Promise<DeviceView[]>
  /** Throws not_found for a device that is not the actor's. */
  remove(actor: SessionActor, id: string): Promise<void>
  forget(actor: SessionActor, token: string): Promise<void>
  /** The token of a mobile app, one for each session. */
  setToken(actor: SessionActor, device: { token: string; platform: PushPlatform }): Promise<void>
  removeTokens(actor: SessionActor): Promise<void>
  preferences(actor: SessionActor): Promise<PushPreferences>
  setPreferences(actor: SessionActor, muted: readonly NotificationKind[]): Promise<PushPreferences>
  /** Sends a test notification to the actor's devices; returns their number. */
  test(actor: SessionActor): Promise<{ devices: number }>
  /**
   * Sends a test to the user's newest device and reports the push service's response. Throws no_user_match without a
   * device.
   */
  probe(uid: string): Promise<IntegrationTest>
  /** Sends notifications that are not in the list of their users, such as a chat's second unread message. */
  announce(tx: Transaction, notifications: readonly UnlistedNotification[]): Promise<void>
  /**
   * Sends a text to the device with this token. Throws no_user_match if it belongs to no user, or not to `owner`.
   */
  sendTo(
    token: string,
    owner: string | null,
    text: { title: string; body: string; screen: string },
  ): Promise<void>
  /** Closes notifications on the other devices of users who have handled them. */
  close(tx: Transaction, handled: readonly Handled[]): Promise<void>
  /** Registers a handler for admins' sends that reached none of a user's devices. */
  onUnreached(handler: (tx: Transaction, users: readonly Unreached[]) => Promise<void>): void
  /** Removes all devices and preferences of a user who loses the account or its approval. */
  erase(tx: Transaction, uid: string): Promise<void>
  /** A user's devices and muted kinds for the export of their data, without tokens. */
  own(uid: string): ReturnType<typeof ownDevices>
  /** Forgets which old notifications devices show. */
  forgetShown(): Promise<unknown>
  sender: Sender
}

export interface DevicesDeps extends RegistryDeps, ComposeDeps {
  clock: Clock
  push: Push
  log: Log
  jobs: Pick<Jobs, 'define' | 'send'>
  users: Pick<UsersService, 'lock' | 'onNotified' | 'onRead'>
  senderOptions?: SenderDeps['options']
}

const receiptJob = 'devices.read-receipts'
/** Expo has the results of nearly all messages after this time. */
const receiptAfterS = 900
const receiptData = z.object({ receipts: z.array(z.object({ device: z.uuid(), receipt: z.string() })) })

export function createDevicesService(deps: DevicesDeps): DevicesService {
  const { database, clock, push, log, jobs, users } = deps
  const { db } = database
  const unreached: Parameters<DevicesService['onUnreached']>[0][] = []

  const compose = createComposer(deps)
  const sender = createSender({
    database,
    log,
    push,
    compose,
    options: deps.senderOptions,
    expectReceipts: async (tx, receipts) => {
      await jobs.send(receiptJob, { receipts }, { tx, startAfterS: receiptAfterS * clock.speed })
    },
    unreached: async (tx, missed) => {
      for (const handler of unreached) await handler(tx, missed)
    },
  })
  jobs.define(receiptJob, { schema: receiptData }, async ({ receipts }) => {
    const gone = new Set(await push.unregistered(receipts.map(({ receipt }) => receipt)))
    const devices = receipts.flatMap(({ device, receipt }) => (gone.has(receipt) ? [device] : []))
    await database.pool.query('delete from push_devices where id = any($1)', [devices])
  })

  const queue = async (tx: Transaction, pushes: readonly NewPush[]) => {
    const count = await queuePushes(tx, pushes)
    if (count > 0) tx.afterCommit(sender.wake)
    return count
  }
  const close: DevicesService['close'] = async (tx, handled) => {
    if ((await closePushes(tx, handled)) > 0) tx.afterCommit(sender.wake)
  }
  const pushOf = (notification: UnlistedNotification & Partial<StoredNotification>): NewPush => {
    const { user_id: user, title, msg, params, screen, booking_id: booking, at } = notification
    const { id = null, expires_at: expiresAt = null, platforms, origin } = notification
    const kind = kindOfNotification(notification)
    const { urgency, ttlS } = pushRules[kind]
    return {
      user,
      platforms,
      origin,
      tag: pushTag({ title, booking, id: id ?? uuidv7() }),
      urgent: urgency === 'high',
      ttlMs: expiresAt === null ? ttlS * 1_000 : Math.max(0, (expiresAt - clock.now()) / clock.speed) | 0,
      content: { kind, id, at, title, msg, params, screen, booking, expiresAt },
    }
  }

  users.onNotified(async (tx, stored) => {
    await queue(tx, stored.filter(({ read_at }) => read_at === null).map(pushOf))
  })
  users.onRead((tx, read) =>
    close(
      tx,
      read.map(({ userId: user, ids, session }) => ({ user, ids, session })),
    ),
  )

  return {
    sender,
    key: () => push.publicKey,
    register: (actor, device) => registerDevice(deps, actor, device),
    list: (actor) => listDevices(db, actor),
    remove: async (actor, id) => {
      if ((await removeDevice(db, actor.id, { id })) === 0) throw new Refusal('not_found')
    },
    forget: async (actor, token) => {
      await removeDevice(db, actor.id, { token })
    },
    setToken: (actor, device) => setPushToken(deps, actor, device),
    removeTokens: (actor) => removeTokens(db, actor),
    preferences: ({ id, role }) => readPreferences(db, id, role),
    setPreferences: ({ id, role }, muted) => savePreferences(db, id, role, muted),
    test: async ({ id }) => ({
      devices: await database.withTransaction((tx) => queue(tx, [testPush(id, clock.now())])),
    }),
    probe: (uid) => probe({ ...deps, compose }, uid),
    announce: async (tx, notifications) => void (await queue(tx, notifications.map(pushOf))),
    sendTo: async (token, owner, { title, body, screen }) => {
      await database.withTransaction(async (tx) => {
        const found = await readTokenOwner(tx.db, token)
        if (found === null || (owner !== null && found.user !== owner)) throw new Refusal('no_user_match')
        const text = {
          title: 'notify.announcement.title',
          msg: 'notify.announcement.msg',
          params: { title, body },
        }
        const at = clock.now()
        const message = pushOf({ user_id: found.user, at, ...text, screen, booking_id: null })
        await queue(tx, [{ ...message, device: found.device }])
      })
    },
    close,
    onUnreached: (handler) => void unreached.push(handler),
    erase: eraseDevices,
    own: (uid) => ownDevices(db, uid),
    forgetShown: () =>
      deleteInBatches(
        database.pool,
        'push_shown',
        'expires_at < (extract(epoch from clock_timestamp()) * 1000)::bigint',
        [],
      ),
  }
}
