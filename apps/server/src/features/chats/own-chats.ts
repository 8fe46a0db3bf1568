import type { ChatMessage } from '@hansom/contract/chats'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'
import { z } from 'zod'
import { type Storage, storedPath } from '../../adapters/storage/port.ts'
import { type EraseStep, eraseBy } from '../users/erase-user.ts'
import { removeAbout } from '../users/notifications.ts'
import { type MessageRow, messageView } from './store.ts'
import type { chatReportsTable } from './table.ts'

/** The data of people in conversations: their export, their erasure, and the end of its retention. */
export interface OwnChats {
  /** The messages that a user has written, newest first, with the booking of each. */
  list(uid: string, cursor: string | undefined): Promise<{ items: WrittenMessage[]; next: string | null }>
  /** The conversations that a user has reported, oldest first. */
  reports(uid: string): Promise<OwnReport[]>
  /** Removes up to `limit` photos that a user has sent; returns their number. */
  removePhotos(uid: string, limit: number): Promise<number>
  /** Removes the conversations of up to `limit` bookings that ended before `before`, epoch ms; returns their number. */
  clearEnded(before: number, limit: number): Promise<number>
}

type WrittenMessage = ChatMessage & { booking: string }
type OwnReport = Pick<typeof chatReportsTable.$inferSelect, 'reason' | 'note' | 'at'> & { booking: string }

const pageSize = 500

export interface OwnChatsDeps {
  database: { pool: Pool }
  storage: Pick<Storage, 'remove' | 'removeChats'>
  settings: { current(): Promise<{ timezone: string }> }
}

export function createOwnChats({ database: { pool }, storage, settings }: OwnChatsDeps): OwnChats {
  return {
    list: async (uid, cursor) => {
      if (cursor !== undefined && !z.uuid().safeParse(cursor).success) throw new Refusal('invalid_input')
      const { rows } = await pool.query<MessageRow>(
        `select * from chat_messages where from_user = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
        [uid, cursor ?? null, pageSize + 1],
      )
      const { timezone } = await settings.current()
      const page = rows.slice(0, pageSize)
      return {
        items: page.map((row) => ({ booking: row.booking_id, ...messageView(row, timezone) })),
        next: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null,
      }
    },

    reports: async (uid) => {
      const { rows } = await pool.query<OwnReport>(
        'select booking_id as booking, reason, note, at from chat_reports where by_user = $1 order by at, id',
        [uid],
      )
      return rows
    },

    removePhotos: async (uid, limit) => {
      const { rows } = await pool.query<Pick<MessageRow, 'id' | 'booking_id' | 'photo'>>(
        `select id, booking_id, photo from chat_messages where from_user = $1 and photo is not null limit $2`,
        [uid, limit],
      )
      // Files first: without its file, a row is found again by the next run.
      for (const { booking_id, photo } of rows)
        await storage.remove(storedPath.chatPhoto(booking_id, photo ?? ''))
      await pool.query(`update chat_messages set kind = 'removed', photo = null where id = any($1::uuid[])`, [
        rows.map(({ id }) => id),
      ])
      return rows.length
    },

    clearEnded: async (before, limit) => {
      // An open report needs its conversation.
      const { rows } = await pool.query<{ id: string }>(
        `select distinct c.booking_id as id from chats c join ended_trips t on t.id = c.booking_id
          where t.ended_at < $1 and not exists (
            select from chat_reports r where r.booking_id = c.booking_id and r.settled_at is null)
          limit $2`,
        [before, limit],
      )
      // Also removes files without a row: those of an upload whose server was killed.
      for (const { id } of rows) await storage.removeChats(id)
      await removeAbout(
        pool,
        rows.map(({ id }) => id),
        'onlineChat',
      )
      await pool.query('delete from chats where booking_id = any($1::uuid[])', [rows.map(({ id }) => id)])
      return rows.length
    },
  }
}

/** Removes the texts of a deleted user; `removePhotos` has removed their photos. */
export const eraseFromChats: readonly EraseStep[] = [
  eraseBy(`update chat_messages set kind = 'removed', message = '', quick = null where id in
    (select id from chat_messages where $2::text is not null and from_user = $1 and kind in ('text', 'quick') limit $3)`),
  eraseBy(`update chat_reports set note = '' where id in
    (select id from chat_reports where $2::text is not null and by_user = $1 and note <> '' limit $3)`),
]
