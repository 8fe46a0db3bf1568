import type { Actor } from '@hansom/domain/access/relation'
import { refusalToSend } from '@hansom/domain/chats/chat'
import { isQuickReplyOf, type QuickReply } from '@hansom/domain/chats/quick-replies'
import { Refusal } from '@hansom/domain/error-keys'
import { uuidv7 } from 'uuidv7'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { UsersService } from '../users/service.ts'
import { chatChangedEvent } from './changed-event.ts'
import { getChat } from './find-chat.ts'
import { quickText } from './quick-text.ts'
import { appendMessage, findSent, lockChat, type MessageRow, standingOf } from './store.ts'

/** A message to send. `photo` is the upload that its file is named after. */
export interface Outgoing {
  smsId: string
  message?: string | undefined
  quick?: QuickReply | undefined
  photo?: string
}

export interface SendMessageDeps {
  database: Pick<Database, 'withTransaction'>
  outbox: Pick<Outbox, 'write'>
  clock: Pick<Clock, 'now'>
  languages: Pick<LanguagesService, 'choose' | 'pack'>
  users: Pick<UsersService, 'find'>
}

/** Stores a message and its event; returns the stored one for a known `smsId`. Throws like `ChatsService.send`. */
export async function sendMessage(
  { database, outbox, clock, languages, users }: SendMessageDeps,
  actor: Actor,
  booking: string,
  outgoing: Outgoing,
): Promise<MessageRow> {
  const content = contentOf(outgoing)
  const message =
    content.quick === null
      ? content.message
      : await quickText(languages, content.quick, (await users.find(actor.id))?.locale ?? null)
  return database.withTransaction(async (tx) => {
    const { client } = tx
    const found = await getChat(client, actor, booking, true)
    const { driver, side, people } = found
    if (content.quick !== null && !isQuickReplyOf(side, content.quick)) {
      throw new Refusal('invalid_input', { fields: [{ field: 'quick', error: 'not_in_list' }] })
    }
    const now = clock.now()
    const chat = await lockChat(client, found, now)
    const { blockedBy } = standingOf(chat, people.status)
    const counted = { messages: chat.last_seq, photos: chat.photos }
    const refusal = refusalToSend({ ...counted, status: people.status, blockedBy }, content.kind)
    const row: MessageRow = {
      ...content,
      message,
      id: uuidv7(),
      booking_id: booking,
      driver_id: driver,
      seq: chat.last_seq + 1,
      at: now,
      from_user: actor.id,
      source: side,
      sms_id: outgoing.smsId,
    }
    if (refusal === null && (await appendMessage(client, row))) {
      await outbox.write(tx, [chatChangedEvent({ booking, driver, message: row.id })])
      return row
    }
    const known = await findSent(client, found, actor.id, outgoing.smsId)
    if (known === null) throw new Refusal(refusal ?? 'unavailable')
    const isSame = known.kind === content.kind && known.quick === content.quick
    if (isSame && (content.kind !== 'text' || known.message === content.message)) return known
    throw new Refusal('idempotency_mismatch')
  })
}

/** The content of a message: a text, a quick reply or a photo. Throws invalid_input for none, or for two. */
function contentOf({
  message,
  quick,
  photo,
}: Outgoing): Pick<MessageRow, 'kind' | 'message' | 'quick' | 'photo'> {
  if ([message, quick, photo].filter((part) => part !== undefined).length !== 1) {
    const error = message === undefined ? 'required' : 'unknown_field'
    throw new Refusal('invalid_input', { fields: [{ field: 'message', error }] })
  }
  if (photo !== undefined) return { kind: 'photo', message: '', quick: null, photo }
  if (quick !== undefined) return { kind: 'quick', message: '', quick, photo: null }
  return { kind: 'text', message: message ?? '', quick: null, photo: null }
}
