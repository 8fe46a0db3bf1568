import { chatLimits, chatSides, chatStates, messageKinds, reportReasons } from '@hansom/domain/chats/chat'
import { quickReplies } from '@hansom/domain/chats/quick-replies'
import { z } from 'zod'
import { base } from './base.ts'
import { cursor, id, instant } from './shapes.ts'

const side = z.enum(chatSides)

/** The client's own id of a message: sent again with the same one, it is stored once. */
const smsId = z.string().regex(/^[\x21-\x7e]{8,64}$/)

export const chatMessage = z.object({
  id,
  /** Counts the messages of the conversation from 1, without gaps. */
  seq: z.int(),
  at: instant,
  from: id,
  source: side,
  type: z.literal('msg'),
  kind: z.enum(messageKinds),
  /** The text; of a quick reply, its text in the sender's language; empty for a photo and a removed message. */
  message: z.string(),
  /** The key of a quick reply, whose text is `chat.quick_<key>`. */
  quick: z.enum(quickReplies).nullable(),
  /** The path of the photo, for those who may see the conversation. */
  photo: z.string().nullable(),
  /** `month:day:year` and `hour:minute` in the city's time zone. */
  msgDate: z.string(),
  msgTime: z.string(),
  smsId: z.string(),
})
export type ChatMessage = z.infer<typeof chatMessage>

/** The numbers of the last messages that one person has received and read. */
const mark = z.object({ delivered: z.int(), read: z.int() })
export const chatMarks = z.object({ rider: mark, driver: mark })
export type ChatMarks = z.infer<typeof chatMarks>

const standing = { state: z.enum(chatStates), blockedBy: z.array(side) }
const chatStanding = z.object(standing)
export type ChatStanding = z.infer<typeof chatStanding>

/** A page of a conversation. The live topic `chat:<booking>` begins with the first one. */
export const chatView = z.object({
  booking: id,
  /** Identifies the conversation with the booking: another driver has another one. */
  driver: id,
  /** The caller's side. */
  side,
  ...standing,
  marks: chatMarks,
  /** Newest first. */
  messages: z.array(chatMessage),
  next: cursor.nullable(),
})
export type ChatView = z.infer<typeof chatView>

/** A numbered event of the topic. A message may arrive that is known already: `seq` tells. */
export type ChatEvent = { message: ChatMessage } | { marks: ChatMarks } | ChatStanding | ChatTyping
/** A volatile event of the topic: the person is writing. */
export interface ChatTyping {
  typing: (typeof chatSides)[number]
}

const chatReport = z.object({
  id,
  booking: id,
  driver: id,
  by: side,
  reason: z.enum(reportReasons),
  note: z.string(),
  at: instant,
  settled_at: instant.nullable(),
  settled_note: z.string().nullable(),
})
export type ChatReport = z.infer<typeof chatReport>

/** Every conversation of a booking, as admins read it: one for each driver it had. */
const readChats = z.object({
  conversations: z.array(
    z.object({
      driver: id,
      driver_name: z.string(),
      rider_name: z.string(),
      ...standing,
      /** Oldest first. */
      messages: z.array(chatMessage),
    }),
  ),
  reports: z.array(chatReport),
})
export type ReadChats = z.infer<typeof readChats>

const post = <P extends string>(part: P) =>
  base.route({ method: 'POST', path: `/api/v1/bookings/{id}/chat${part}`, tags: ['chats'] })
const byId = z.strictObject({ id })
const nothing = z.object({})

/**
 * The conversation of a booking's rider or sender with its present driver. Throws chat_not_found for everyone else, before
 * a driver has accepted, and for riders without an account. Photos have routes outside the JSON API: `POST
 * /api/v1/bookings/{id}/chat/photos?smsId=...` takes a multipart form with one part `image` (JPEG, PNG or WebP of at most
 * 10 MB) and returns the message; `GET` on a message's `photo` returns the image.
 */
export const chatsContract = {
  /** A page, newest first; `cursor` is `next` of the page before. */
  show: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/chat', tags: ['chats'] })
    .input(z.strictObject({ id, cursor: cursor.optional() }))
    .output(chatView),
  /**
   * Sends a text or a quick reply, one of the two. Throws chat_closed, chat_blocked, chat_full, too_many_requests, and
   * idempotency_mismatch for a known `smsId` with another content.
   */
  send: post('')
    .input(
      z.strictObject({
        id,
        smsId,
        message: z.string().trim().min(1).max(chatLimits.text).optional(),
        quick: z.enum(quickReplies).optional(),
      }),
    )
    .output(chatMessage),
  /** Reports how far the caller has received and read. Marks never go back. */
  mark: post('/marks')
    .input(
      z.strictObject({
        id,
        delivered: z.int().min(0).optional(),
        read: z.int().min(0).optional(),
      }),
    )
    .output(chatMarks),
  /** The caller is writing; shown to the other person for a few seconds. */
  typing: post('/typing').input(byId).output(nothing),
  /** Stops messages in both directions until the same person unblocks. */
  block: post('/block').input(byId).output(chatStanding),
  unblock: post('/unblock').input(byId).output(chatStanding),
  /** Reports the conversation to the admins. A repeated report is the same one until it is settled. */
  report: post('/report')
    .input(
      z.strictObject({
        id,
        reason: z.enum(reportReasons),
        note: z.string().trim().max(chatLimits.note).default(''),
      }),
    )
    .output(z.object({ at: instant })),
  /** For admins: everything that was written about a booking, and its reports. Each reading is audited. */
  read: post('/read').input(byId).output(readChats),
  /** An admin has dealt with a report. Throws conflict when another has settled it. */
  settleReport: base
    .route({ method: 'POST', path: '/api/v1/chat-reports/{id}/settle', tags: ['chats'] })
    .input(z.strictObject({ id, note: z.string().trim().min(1).max(chatLimits.note) }))
    .output(chatReport),
}

export { smsId as chatSmsId }
