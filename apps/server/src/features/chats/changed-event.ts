import type { ChatEvent, ChatMarks, ChatStanding } from '@hansom/contract/chats'
import { chatTopic } from '@hansom/contract/live'
import { type ChatSide, isChatOpen, otherSide } from '@hansom/domain/chats/chat'
import { chatNotice, titleOf } from '@hansom/domain/notifications/kinds'
import { shortened } from '@hansom/domain/notifications/shortened'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { channelName } from '../../platform/live/channels.ts'
import type { NewEvent } from '../../platform/outbox/event.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import {
  bookingChanged,
  changedBookings,
  type LivePublisher,
  readBookingChange,
} from '../bookings/booking-changed-event.ts'
import type { BookingPeople } from '../bookings/service.ts'
import type { DevicesService, UnlistedNotification } from '../devices/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { NewNotification } from '../users/notifications.ts'
import type { UsersService } from '../users/service.ts'
import { quickText } from './quick-text.ts'
import { type ChatId, type MessageRow, messageView, readChat, standingOf } from './store.ts'

const chatChanged = 'chat.changed'

/** What has changed in a conversation. A message is read again, so that its text is in one place only. */
type ChatChange = ChatId & ({ message: string } | { marks: ChatMarks } | { standing: ChatStanding })

/** The outbox event of a change, in the stream of its conversation. */
export function chatChangedEvent(change: ChatChange): NewEvent {
  return { kind: chatChanged, stream: `chat:${change.booking}:${change.driver}`, payload: { ...change } }
}

/** The channel of a conversation: both people see the same events. */
export const chatChannel = ({ booking, driver }: ChatId) => channelName(chatTopic(booking), driver)

/** Columns of the view booking_people. */
type People = Omit<BookingPeople, 'id' | 'has_account'>

/** A sent message, and whether the other person has not read it. */
type SentMessage = MessageRow & { is_unread: boolean; people: People }

export interface PublishChatsDeps {
  outbox: Pick<Outbox, 'onBatch'>
  hub: LivePublisher
  clock: Pick<Clock, 'now'>
  settings: { current(): Promise<CurrentSettings> }
  users: Pick<UsersService, 'notify' | 'end' | 'unreadAbout' | 'removeReadAbout' | 'find'>
  languages: Pick<LanguagesService, 'choose' | 'pack'>
  devices: Pick<DevicesService, 'announce' | 'close'>
}

/** Publishes each change of a conversation to its two people, and announces messages. */
export function publishChats(deps: PublishChatsDeps): void {
  const { outbox, hub } = deps
  outbox.onBatch(chatChanged, async (events, tx) => {
    const changes = events.map(({ payload }) => payload as unknown as ChatChange)
    const sent = await readSent(
      tx,
      changes.flatMap((change) => ('message' in change ? change.message : [])),
    )
    const { timezone } = await deps.settings.current()
    for (const change of changes) {
      const event = eventOf(change, sent, timezone)
      if (event !== null) hub.publish(chatChannel(change), event)
    }
    await announce(deps, tx, [...sent.values()])
  })
  // A command has opened or closed the conversation, or given the booking to another driver.
  outbox.onBatch(bookingChanged, async (events, tx) => {
    const changes = events.map(({ payload }) => readBookingChange(payload))
    const concerned = changes.filter(
      ({ from, to, left }) => left.length > 0 || (from !== null && isChatOpen(from) !== isChatOpen(to)),
    )
    if (concerned.length === 0) return
    const lost = concerned.filter(({ left }) => left.length > 0)
    if (lost.length > 0) {
      await deps.users.end(tx, {
        ended: lost.map(({ booking }) => ({ booking, titles: [titleOf(chatNotice)] })),
      })
      // They quote the rider, whose conversation the former driver has lost.
      await deps.users.removeReadAbout(
        tx,
        lost.flatMap(({ booking, left }) => left.map((user) => ({ user, booking }))),
        chatScreen,
      )
    }
    const bookings = await changedBookings(events, tx, deps.clock.now())
    for (const id of new Set(concerned.map(({ booking }) => booking))) {
      const { driver, status, customer } = bookings.get(id)?.booking ?? {}
      if (status === undefined || customer === undefined) continue
      if (driver) {
        const chat = { booking: id, driver }
        hub.publish(
          chatChannel(chat),
          standingOf(await readChat(tx.client, chat), status) satisfies ChatEvent,
        )
      }
      if (concerned.some(({ booking, left }) => booking === id && left.length > 0)) hub.reauthorize(customer)
    }
  })
}

function eventOf(
  change: ChatChange,
  sent: ReadonlyMap<string, SentMessage>,
  timezone: string,
): ChatEvent | null {
  if ('marks' in change) return { marks: change.marks }
  if ('standing' in change) return change.standing
  const row = sent.get(change.message)
  // Removed by its retention meanwhile.
  return row === undefined ? null : { message: messageView(row, timezone) }
}

async function readSent({ client }: Transaction, ids: readonly string[]): Promise<Map<string, SentMessage>> {
  if (ids.length === 0) return new Map()
  const { rows } = await client.query<SentMessage>({
    name: 'chats-sent-messages',
    text: `select m.*, m.seq > r.read as is_unread, to_jsonb(p) as people
        from chat_messages m join chats c on c.booking_id = m.booking_id and c.driver_id = m.driver_id
          join booking_people p on p.id = m.booking_id
          cross join lateral (select case m.source when 'rider' then c.driver_read else c.rider_read end as read) r
        where m.id = any($1::uuid[]) order by m.id`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

const chatScreen = 'onlineChat'

/** Longest part of a message in a notification, in characters. */
const excerptLength = 140

/**
 * Announces unread messages to those they are for: each on their devices, and in their list one of each booking until it is
 * read. It takes the place of those that they have read.
 */
async function announce(
  deps: PublishChatsDeps,
  tx: Transaction,
  messages: readonly SentMessage[],
): Promise<void> {
  // Of a former driver, the conversation is over.
  const unread = messages.filter(
    ({ is_unread, people, driver_id }) => is_unread && people.driver === driver_id,
  )
  const keyOf = ({ user, booking }: { user: string; booking: string }) => `${user} ${booking}`
  const addressed = unread.map(({ people, source, booking_id: booking }) => ({
    user: namesOf(people, source).to,
    booking,
  }))
  const inList = new Set((await deps.users.unreadAbout(tx, addressed, chatScreen)).map(keyOf))
  const listed: NewNotification[] = []
  const unlisted: UnlistedNotification[] = []
  for (const message of unread) {
    const { people, booking_id, driver_id, seq } = message
    const { to, from } = namesOf(people, message.source)
    const notification = {
      user_id: to,
      at: message.at,
      title: `notify.${chatNotice}.title`,
      msg: message.kind === 'photo' ? 'notify.chat_photo.msg' : `notify.${chatNotice}.msg`,
      params: {
        booking_id: people.booking_id,
        name: from,
        person: message.from_user,
        ...(message.kind !== 'photo' && { text: await excerptFor(deps, to, message) }),
      },
      screen: chatScreen,
      booking_id,
    }
    const dedupe = `chat:${booking_id}:${driver_id}:${otherSide(message.source)}:${seq}`
    const key = keyOf({ user: to, booking: booking_id })
    if (inList.has(key)) unlisted.push(notification)
    else listed.push({ ...notification, dedupe })
    inList.add(key)
  }
  if (listed.length > 0) {
    const read = listed.map(({ user_id, booking_id }) => ({ user: user_id, booking: booking_id as string }))
    await deps.users.removeReadAbout(tx, read, chatScreen)
    await deps.users.notify(tx, listed)
  }
  // Afterwards, because a later message takes the place of the first one on a device.
  if (unlisted.length > 0) await deps.devices.announce(tx, unlisted)
}

/** Whom a message is for, and the name of the person who wrote it. */
function namesOf(people: People, source: ChatSide): { to: string; from: string } {
  const { customer, customer_name, driver, driver_name } = people
  if (source === 'rider') return { to: driver ?? customer, from: customer_name }
  return { to: customer, from: driver_name ?? '' }
}

async function excerptFor(
  { languages, users }: PublishChatsDeps,
  reader: string,
  { quick, message }: MessageRow,
): Promise<string> {
  if (quick === null) return shortened(message, excerptLength)
  return quickText(languages, quick, (await users.find(reader))?.locale ?? null)
}
