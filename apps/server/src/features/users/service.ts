import { liveTopics, type NotificationsChange } from '@hansom/contract/live'
import type { Me } from '@hansom/contract/users'
import type { Actor } from '@hansom/domain/access/relation'
import type { AlertKind } from '@hansom/domain/alerts/alerts'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { replacedBy } from '@hansom/domain/notifications/endings'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import { channelName } from '../../platform/live/channels.ts'
import type { LiveHub } from '../../platform/live/hub.ts'
import { listAlertReaders, readAlertMails, saveAlertMails, takeUnmailedAlerts } from './alert-mails.ts'
import { addGuest, type Caller, findCaller, type GuestDeps, type NewGuest } from './guests.ts'
import {
  endNotifications,
  listNotifications,
  markRead,
  type NewNotification,
  type NotificationsWanted,
  type ReadNotifications,
  readersOf,
  readUnread,
  removeReadAbout,
  type StoredNotification,
  storeNotifications,
  unreadAbout,
} from './notifications.ts'
import { countVisit, listSavedAddresses } from './saved-addresses.ts'
import { listSavedViews, saveView } from './saved-views.ts'
import { findUser, lockUsers, readDriversOf, readNames } from './store.ts'
import type { UserRow } from './table.ts'
import { readMe, readMeOfMany } from './views.ts'

export interface UsersService {
  /** Returns null for an unknown id. */
  find(id: string, queries?: Queries): Promise<UserRow | null>
  /** Locks users until the transaction ends, so that their balances stay as read. Unknown ids are left out. */
  lock(tx: Transaction, ids: readonly string[]): Promise<Map<string, UserRow>>
  /** Returns the user as they see themselves; null for an unknown id. */
  me(id: string, queries?: Queries): Promise<Me | null>
  /** Like `me` for several users; unknown ids are left out. */
  meOfMany(ids: readonly string[], queries?: Queries): Promise<Map<string, Me>>
  /** Returns full names by id; a deleted user has the placeholder of their row. */
  names(ids: readonly string[]): Promise<Map<string, string>>
  /** Returns which of these users are drivers of a fleet. */
  driversOf(fleet: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** See `findCaller`: the id of the rider with the caller's number, or a new guest for `addGuest`. */
  findCaller(caller: Caller): Promise<string | NewGuest>
  /** See `addGuest`: false if the number was added meanwhile. */
  addGuest(tx: Transaction, actor: Actor, guest: NewGuest): Promise<boolean>
  /** Named places first, then the most visited. */
  savedAddresses(userId: string): ReturnType<typeof listSavedAddresses>
  /** The user's saved views of a table. */
  savedViews(userId: string, table: string): ReturnType<typeof listSavedViews>
  /** See `saveView`. */
  saveView(userId: string, view: Parameters<typeof saveView>[2]): ReturnType<typeof saveView>
  /** The kinds of alerts that the user receives by email. */
  alertMails(userId: string): Promise<AlertKind[]>
  /** Replaces them, and returns them in the order of the to-do list. */
  setAlertMails(userId: string, kinds: readonly AlertKind[]): Promise<AlertKind[]>
  /** The users who receive alerts by email. */
  alertReaders(): Promise<string[]>
  /** See `takeUnmailedAlerts`. */
  takeUnmailedAlerts(tx: Transaction, userId: string): Promise<string[]>
  /** Returns those of some notifications that the user has not read, newest first. */
  unreadOf(userId: string, ids: readonly string[]): ReturnType<typeof readUnread>
  /** Counts a trip to `drop` among the rider's saved places. */
  countVisit(tx: Transaction, userId: string, drop: PlacePoint): Promise<void>
  /** Stores notifications; skips one whose `dedupe` is already stored. */
  notify(tx: Transaction, notifications: readonly NewNotification[]): Promise<void>
  /** Registers a handler that runs in the transaction that stores notifications. */
  onNotified(handler: (tx: Transaction, stored: readonly StoredNotification[]) => Promise<void>): void
  /** Registers a handler that runs in the transaction that marks notifications as read. */
  onRead(handler: (tx: Transaction, read: readonly ReadNotifications[]) => Promise<void>): void
  /** Marks notifications that have ended, or those with `ids`, as read: they disappear from all devices. */
  end(tx: Transaction, which: Parameters<typeof endNotifications>[1]): Promise<void>
  /** See `readersOf`. */
  readersOf: typeof readersOf
  /** See `unreadAbout`. */
  unreadAbout: typeof unreadAbout
  /** See `removeReadAbout`. */
  removeReadAbout: typeof removeReadAbout
  notifications(userId: string, wanted: NotificationsWanted): ReturnType<typeof listNotifications>
  /** Marks these notifications of the user as read, or all of them; returns their number. */
  markNotificationsRead(
    reader: Pick<SessionActor, 'id' | 'sessionId'>,
    ids: readonly string[] | undefined,
  ): Promise<number>
}

export interface UsersDeps extends GuestDeps {
  hub: Pick<LiveHub, 'publish'>
}

export function createUsersService(deps: UsersDeps): UsersService {
  const { clock, hub } = deps
  const { db } = deps.database
  const notificationsChanged = (user: string) =>
    hub.publish(channelName(liveTopics.notifications, user), {
      at: clock.now(),
    } satisfies NotificationsChange)
  const notified: Parameters<UsersService['onNotified']>[0][] = []
  const readers: Parameters<UsersService['onRead']>[0][] = []
  const wereRead = async (tx: Transaction, read: readonly ReadNotifications[]) => {
    if (read.length === 0) return
    for (const handler of readers) await handler(tx, read)
    tx.afterCommit(() => read.forEach(({ userId }) => notificationsChanged(userId)))
  }
  const end: UsersService['end'] = async (tx, which) => {
    if ((which.ended?.length ?? 0) + (which.ids?.length ?? 0) === 0) return
    const ended = await endNotifications(tx, which, clock.now())
    await wereRead(
      tx,
      [...ended].map(([userId, ids]) => ({ userId, ids, session: null })),
    )
  }
  return {
    find: (id, queries = db) => findUser(queries, id),
    lock: (tx, ids) => lockUsers(tx.db, ids, 'no key update'),
    me: (id, queries = db) => readMe(queries, id),
    meOfMany: (ids, queries = db) => readMeOfMany(queries, ids),
    names: (ids) => readNames(db, ids),
    driversOf: (fleet, ids) => readDriversOf(db, fleet, ids),
    findCaller: (caller) => findCaller(deps, caller),
    addGuest: (tx, actor, guest) => addGuest(deps, tx, actor, guest),
    savedAddresses: (userId) => listSavedAddresses(db, userId),
    savedViews: (userId, table) => listSavedViews(db, userId, table),
    saveView: (userId, view) => saveView(deps.database, userId, view),
    alertMails: (userId) => readAlertMails(db, userId),
    setAlertMails: (userId, kinds) => saveAlertMails(db, userId, kinds),
    alertReaders: () => listAlertReaders(db),
    takeUnmailedAlerts: (tx, userId) => takeUnmailedAlerts(tx.db, userId),
    unreadOf: (userId, ids) => readUnread(db, userId, ids),
    countVisit: (tx, userId, drop) => countVisit(tx.db, userId, drop),
    notify: async (tx, notifications) => {
      const stored = await storeNotifications(tx, notifications)
      if (stored.length === 0) return
      await end(tx, { ended: stored.flatMap(({ user_id: user, title }) => replacedBy({ user, title })) })
      for (const handler of notified) await handler(tx, stored)
      const users = new Set(stored.map(({ user_id }) => user_id))
      tx.afterCommit(() => users.forEach(notificationsChanged))
    },
    onNotified: (handler) => void notified.push(handler),
    onRead: (handler) => void readers.push(handler),
    end,
    readersOf,
    unreadAbout,
    removeReadAbout,
    notifications: (userId, wanted) => listNotifications(db, userId, wanted),
    markNotificationsRead: ({ id, sessionId }, wanted) =>
      deps.database.withTransaction(async (tx) => {
        const ids = await markRead(tx.db, id, clock.now(), wanted)
        if (ids.length > 0) await wereRead(tx, [{ userId: id, ids, session: sessionId }])
        return ids.length
      }),
  }
}
