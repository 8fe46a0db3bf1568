import type { ChatMarks, ChatMessage, ChatReport, ChatStanding } from '@hansom/contract/chats'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import {
  type ChatMark,
  type ChatSide,
  chatPageSize,
  chatSides,
  chatStateOf,
  messageTimes,
} from '@hansom/domain/chats/chat'
import type { Pool, PoolClient } from 'pg'
import type { chatMessagesTable, chatReportsTable, chatsTable } from './table.ts'

export type ChatRow = typeof chatsTable.$inferSelect
export type MessageRow = typeof chatMessagesTable.$inferSelect
type ReportRow = typeof chatReportsTable.$inferSelect
type Client = Pool | PoolClient

/** A conversation: its booking and the driver. */
export interface ChatId {
  booking: string
  driver: string
}

/** Columns of bigint type are numbers by the pool's parsers. */
const marksOf = (row: ChatRow, side: ChatSide): ChatMark => ({
  delivered: row[`${side}_delivered`],
  read: row[`${side}_read`],
})

export function chatMarksOf(row: ChatRow | null): ChatMarks {
  if (row === null) return { rider: { delivered: 0, read: 0 }, driver: { delivered: 0, read: 0 } }
  return { rider: marksOf(row, 'rider'), driver: marksOf(row, 'driver') }
}

export function standingOf(row: ChatRow | null, status: BookingStatus): ChatStanding {
  const blockedBy = row === null ? [] : chatSides.filter((side) => row[`${side}_blocked_at`] !== null)
  return { state: chatStateOf({ status, blockedBy }), blockedBy }
}

export function messageView(row: MessageRow, timezone: string): ChatMessage {
  const { id, seq, at, from_user, source, kind, message, quick, photo, sms_id } = row
  return {
    id,
    seq,
    at,
    from: from_user,
    source,
    type: 'msg',
    kind,
    message,
    quick,
    photo: photo === null ? null : `/api/v1/bookings/${row.booking_id}/chat/photos/${id}`,
    ...messageTimes(at, timezone),
    smsId: sms_id,
  }
}

export function reportView(row: ReportRow): ChatReport {
  const { id, booking_id, driver_id, by, reason, note, at, settled_at, settled_note } = row
  return { id, booking: booking_id, driver: driver_id, by, reason, note, at, settled_at, settled_note }
}

export async function readChat(client: Client, { booking, driver }: ChatId): Promise<ChatRow | null> {
  const { rows } = await client.query<ChatRow>({
    name: 'chats-read',
    text: 'select * from chats where booking_id = $1 and driver_id = $2',
    values: [booking, driver],
  })
  return rows[0] ?? null
}

/** Locks a conversation until the transaction ends; begins it if it has none. */
export async function lockChat(
  client: PoolClient,
  { booking, driver }: ChatId,
  now: number,
): Promise<ChatRow> {
  const { rows } = await client.query<ChatRow>({
    name: 'chats-lock',
    // An update that changes nothing locks the row and returns its newest version.
    text: `insert into chats (booking_id, driver_id, created_at) values ($1, $2, $3)
      on conflict (booking_id, driver_id) do update set created_at = chats.created_at returning *`,
    values: [booking, driver, now],
  })
  return rows[0] as ChatRow
}

/** A page, newest first, before the message of a number. */
export async function readPage(
  client: Client,
  { booking, driver }: ChatId,
  before: number | null,
): Promise<{ rows: MessageRow[]; next: string | null }> {
  const { rows } = await client.query<MessageRow>({
    name: 'chats-page',
    text: `select * from chat_messages where booking_id = $1 and driver_id = $2 and seq < coalesce($3, 9e15::bigint)
      order by seq desc limit ${chatPageSize + 1}`,
    values: [booking, driver, before],
  })
  const page = rows.slice(0, chatPageSize)
  return { rows: page, next: rows.length > chatPageSize ? String(page.at(-1)?.seq) : null }
}

/** A message by its sender's own id; null if there is none. */
export async function findSent(
  client: Client,
  { booking, driver }: ChatId,
  from: string,
  smsId: string,
): Promise<MessageRow | null> {
  const { rows } = await client.query<MessageRow>({
    name: 'chats-sent',
    text: `select * from chat_messages where booking_id = $1 and driver_id = $2 and from_user = $3 and sms_id = $4`,
    values: [booking, driver, from, smsId],
  })
  return rows[0] ?? null
}

/** Appends a message to a locked conversation; false if its sender has sent one with its `sms_id`. */
export async function appendMessage(client: PoolClient, row: MessageRow): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'chats-append',
    text: `with added as (
        insert into chat_messages
            (id, booking_id, driver_id, seq, at, from_user, source, kind, message, quick, photo, sms_id)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
          on conflict (booking_id, driver_id, from_user, sms_id) do nothing returning id)
      update chats set last_seq = $4, photos = photos + ($8 = 'photo')::int
        where booking_id = $2 and driver_id = $3 and exists (select from added)`,
    values: [
      row.id,
      row.booking_id,
      row.driver_id,
      row.seq,
      row.at,
      row.from_user,
      row.source,
      row.kind,
      row.message,
      row.quick,
      row.photo,
      row.sms_id,
    ],
  })
  return rowCount === 1
}

/** Stores one person's mark of a locked conversation. */
export async function saveMark(
  client: PoolClient,
  { booking, driver }: ChatId,
  side: ChatSide,
  { delivered, read }: ChatMark,
): Promise<void> {
  await client.query(
    `update chats set ${side}_delivered = $3, ${side}_read = $4 where booking_id = $1 and driver_id = $2`,
    [booking, driver, delivered, read],
  )
}

/** Blocks or unblocks the other person of a locked conversation. */
export async function saveBlock(
  client: PoolClient,
  { booking, driver }: ChatId,
  side: ChatSide,
  at: number | null,
): Promise<ChatRow> {
  const { rows } = await client.query<ChatRow>(
    `update chats set ${side}_blocked_at = $3 where booking_id = $1 and driver_id = $2 returning *`,
    [booking, driver, at],
  )
  return rows[0] as ChatRow
}
