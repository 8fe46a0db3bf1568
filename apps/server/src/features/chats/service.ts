import type { ChatMarks, ChatMessage, ChatStanding, ChatTyping, ChatView } from '@hansom/contract/chats'
import type { Actor } from '@hansom/domain/access/relation'
import {
  type ChatMark,
  chatBursts,
  isChatOpen,
  movedMark,
  type ReportReason,
  refusalToSend,
  typingEveryMs,
} from '@hansom/domain/chats/chat'
import { Refusal } from '@hansom/domain/error-keys'
import { chatNotice, chatTag, titleOf } from '@hansom/domain/notifications/kinds'
import type { Pool, PoolClient } from 'pg'
import { uuidv7 } from 'uuidv7'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type CommonCounts, countTogether } from '../../platform/http/window-counts.ts'
import type { TopicRegistry } from '../../platform/live/topics.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { chatChangedEvent, chatChannel, type PublishChatsDeps, publishChats } from './changed-event.ts'
import { type FoundChat, findChat, getChat } from './find-chat.ts'
import { type Outgoing, sendMessage } from './send-message.ts'
import {
  chatMarksOf,
  findSent,
  lockChat,
  messageView,
  readChat,
  readPage,
  saveBlock,
  saveMark,
  standingOf,
} from './store.ts'

/** A conversation's commands. All throw chat_not_found for those who are not one of its two people. */
export interface ChatsService {
  /** A page, newest first. `cursor` is `next` of the page before. */
  show(actor: Actor, booking: string, cursor?: string): Promise<ChatView>
  /**
   * Throws before a photo is read, if it would be refused: chat_closed, chat_blocked, chat_full, too_many_photos. One that
   * was sent before is not refused.
   */
  checkPhoto(actor: Actor, booking: string, smsId: () => string): Promise<void>
  /** Sends a message; a known `smsId` returns the stored one. Throws like `checkPhoto`, too_many_requests, idempotency_mismatch. */
  send(actor: Actor, booking: string, outgoing: Outgoing): Promise<ChatMessage>
  /** Moves the actor's marks, and marks the notification of what was read. */
  mark(actor: Actor & { sessionId?: string }, booking: string, to: Partial<ChatMark>): Promise<ChatMarks>
  /** Shows the other person that the actor writes; more often than every two seconds has no effect. */
  typing(actor: Actor, booking: string): Promise<void>
  /** Blocks or unblocks the other person. Blocking throws chat_closed after the trip. */
  setBlocked(actor: Actor, booking: string, isBlocked: boolean): Promise<ChatStanding>
  /** Reports the conversation to the admins; returns the time of the open report. Throws too_many_requests. */
  report(actor: Actor, booking: string, report: { reason: ReportReason; note: string }): Promise<number>
}

export interface ChatsDeps extends PublishChatsDeps {
  database: Pick<Database, 'pool' | 'withTransaction'>
  outbox: Pick<Outbox, 'write' | 'onBatch'>
  clock: Pick<Clock, 'now'>
  settings: { current(): Promise<CurrentSettings> }
  topics: TopicRegistry
  /** Counts bursts together with the other servers. */
  sharedCounts?: CommonCounts | undefined
  users: Pick<UsersService, 'notify' | 'unreadAbout' | 'removeReadAbout' | 'end' | 'find'>
}

/** The most people whose bursts are counted. */
const countedCalls = 50_000

/** Registers the live topic and its publishing. */
export function createChatsService(deps: ChatsDeps): ChatsService {
  const { database, outbox, clock, settings, topics, hub, users } = deps
  const calls = countTogether('chats', countedCalls, deps.sharedCounts)
  // Counted for each person, not for each conversation: ids that a person makes up count for nothing.
  const limit = async (actor: Actor, call: keyof typeof chatBursts) => {
    const { most, withinMs } = chatBursts[call]
    const { count, leftMs } = await calls.add(`${call} ${actor.id}`, withinMs, most)
    if (count <= most) return
    throw new Refusal('too_many_requests', { data: { retryAfterS: Math.max(1, Math.ceil(leftMs / 1000)) } })
  }

  const viewOf = async (client: Pool | PoolClient, found: FoundChat, cursor?: string): Promise<ChatView> => {
    const { booking, driver, side, people } = found
    const { timezone } = await settings.current()
    const chat = await readChat(client, found)
    const { rows, next } = await readPage(client, found, beforeOf(cursor))
    return {
      booking,
      driver,
      side,
      ...standingOf(chat, people.status),
      marks: chatMarksOf(chat),
      messages: rows.map((row) => messageView(row, timezone)),
      next,
    }
  }

  publishChats(deps)
  topics.register('chat', {
    authorize: async (actor, id) => {
      const found = actor && id !== null ? await findChat(database.pool, actor, id) : null
      return found && { channel: chatChannel(found) }
    },
    snapshot: async (actor, id) => {
      const found = actor && id !== null ? await findChat(database.pool, actor, id) : null
      if (found === null) throw new Refusal('not_found')
      return viewOf(database.pool, found)
    },
  })

  return {
    show: async (actor, booking, cursor) =>
      viewOf(database.pool, await getChat(database.pool, actor, booking), cursor),

    checkPhoto: async (actor, booking, smsId) => {
      const found = await getChat(database.pool, actor, booking)
      const { status } = found.people
      const chat = await readChat(database.pool, found)
      const { blockedBy } = standingOf(chat, status)
      const counted = { messages: chat?.last_seq ?? 0, photos: chat?.photos ?? 0 }
      const refusal = refusalToSend({ ...counted, status, blockedBy }, 'photo')
      if (refusal === null || (await findSent(database.pool, found, actor.id, smsId())) !== null) return
      throw new Refusal(refusal)
    },

    send: async (actor, booking, outgoing) => {
      await limit(actor, 'send')
      const row = await sendMessage(deps, actor, booking, outgoing)
      return messageView(row, (await settings.current()).timezone)
    },

    mark: async (actor, booking, to) => {
      await limit(actor, 'mark')
      const found = await getChat(database.pool, actor, booking)
      const { driver, side } = found
      return database.withTransaction(async (tx) => {
        const { client } = tx
        const { rows } = await client.query(
          'select from chats where booking_id = $1 and driver_id = $2 for no key update',
          [booking, driver],
        )
        const chat = rows.length > 0 ? await readChat(client, found) : null
        const marks = chatMarksOf(chat)
        const moved = movedMark(marks[side], to, chat?.last_seq ?? 0)
        const isRead = moved.read > marks[side].read
        if (!isRead && moved.delivered === marks[side].delivered) return marks
        await saveMark(client, found, side, moved)
        const after: ChatMarks = { ...marks, [side]: moved }
        if (isRead) {
          const { id: user, sessionId: session = null } = actor
          await deps.devices.close(tx, [{ user, tags: [chatTag(booking)], session }])
          await users.end(tx, { ended: [{ user, booking, titles: [titleOf(chatNotice)] }] })
        }
        await outbox.write(tx, [chatChangedEvent({ booking, driver, marks: after })])
        return after
      })
    },

    typing: async (actor, booking) => {
      const found = await getChat(database.pool, actor, booking)
      const { count } = await calls.add(`typing ${actor.id}`, typingEveryMs, 1)
      if (count > 1) return
      const { state } = standingOf(await readChat(database.pool, found), found.people.status)
      if (state !== 'open') return
      hub.publishVolatile(chatChannel(found), { typing: found.side } satisfies ChatTyping)
    },

    setBlocked: async (actor, booking, isBlocked) => {
      await limit(actor, 'mark')
      return database.withTransaction(async (tx) => {
        const found = await getChat(tx.client, actor, booking, true)
        const { driver, side, people } = found
        if (isBlocked && !isChatOpen(people.status)) throw new Refusal('chat_closed')
        const now = clock.now()
        const before = standingOf(await lockChat(tx.client, found, now), people.status)
        if (before.blockedBy.includes(side) === isBlocked) return before
        const chat = await saveBlock(tx.client, found, side, isBlocked ? now : null)
        const standing = standingOf(chat, people.status)
        await outbox.write(tx, [chatChangedEvent({ booking, driver, standing })])
        return standing
      })
    },

    report: async (actor, booking, { reason, note }) => {
      await limit(actor, 'report')
      return database.withTransaction(async ({ client }) => {
        const found = await getChat(client, actor, booking, true)
        const now = clock.now()
        await lockChat(client, found, now)
        const { rows } = await client.query<{ at: number }>(
          `with open as (select at from chat_reports
              where booking_id = $2 and driver_id = $3 and by = $4 and settled_at is null),
            made as (
              insert into chat_reports (id, booking_id, driver_id, by, by_user, reason, note, at)
                select $1, $2, $3, $4, $5, $6, $7, $8 where not exists (select from open) returning at)
            select at from open union all select at from made`,
          [uuidv7(), booking, found.driver, found.side, actor.id, reason, note, now],
        )
        return rows[0]?.at ?? now
      })
    },
  }
}

/** The number before which a page begins. Throws invalid_input. */
function beforeOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
}
