import { isOneOf } from '@hansom/domain/bookings/status'
import {
  type ChatMark,
  type ChatSide,
  type MessageKind,
  movedMark,
  otherSide,
  refusalToSend,
} from '@hansom/domain/chats/chat'
import { isQuickReplyOf } from '@hansom/domain/chats/quick-replies'
import { Refusal } from '@hansom/domain/error-keys'
import texts from '@hansom/domain/languages/packs/en/chat.json' with { type: 'json' }
import deliveryTexts from '@hansom/domain/languages/packs/en/delivery/chat.json' with { type: 'json' }
import type { chatMessagesTable, chatReportsTable, chatsTable } from '../chats/table.ts'
import {
  languageOf,
  type ReportedScript,
  reportedScripts,
  type ScriptKind,
  type ScriptLine,
  scriptOf,
} from './chat-scripts.ts'
import { seededRandom } from './history-plan.ts'
import type { PastCity } from './past-city.ts'

type ChatRow = typeof chatsTable.$inferSelect
type MessageRow = typeof chatMessagesTable.$inferSelect
type ReportRow = typeof chatReportsTable.$inferSelect

/** The conversations of past trips, as rows. */
export interface PastChats {
  chats: ChatRow[]
  messages: MessageRow[]
  reports: ReportRow[]
  /** The bookings and uploads of sent photos; their files have to be stored. */
  photos: { booking: string; upload: string }[]
}

type World = Pick<PastCity, 'bookings' | 'events' | 'world' | 'newId'>

/** A past trip with a driver: when it reached each status, epoch ms. */
interface Talk {
  booking: string
  rider: string
  driver: string
  times: Map<string, number>
}

/** The share of trips whose people write to each other. */
const share = 0.3
/** A cancellation this long after the acceptance is one of a rider who has waited, ms. */
const waitedMs = 120_000
const dayMs = 24 * 3_600_000
/** Reported trips have others between them. */
const betweenReports = 12

/**
 * The conversations of the past: what its people wrote at each stage of their trips, through the rules of conversations. The
 * last ones of the demo's rider have a photo, and messages that are still unread. Draws its own random numbers, so that the
 * trips do not depend on them.
 */
export function pastChats(city: World): PastChats {
  const { riders, drivers, settings, now } = city.world
  const chance = seededRandom(2707)
  const written: PastChats = { chats: [], messages: [], reports: [], photos: [] }
  const talks = talksOf(city)
  const driven = talks.filter(({ times }) => times.has('REACHED')).reverse()
  const own = driven.filter(({ rider }) => rider === riders[0]?.id)
  const kinds = new Map<Talk | undefined, ScriptKind>([
    [own[0], 'left_unread'],
    [own[1], 'photo'],
  ])
  // Old enough not to be announced to the admins.
  const others = driven.filter(
    ({ rider, driver, times }) =>
      rider !== riders[0]?.id && driver !== drivers[0]?.id && (times.get('REACHED') ?? now) < now - 2 * dayMs,
  )
  const reported = new Map(
    reportedScripts(settings.category).map((script, number) => [others[number * betweenReports], script]),
  )
  const numbers = new Map(riders.map(({ id }, number) => [id, number]))
  for (const talk of talks) {
    const [luck, choice] = [chance(), chance()]
    const complaint = reported.get(talk)
    if (complaint) {
      converse(city, written, talk, complaint.script, chance)
      report(city, written, talk, complaint.report)
    } else if (luck < share || kinds.has(talk)) {
      const kind = kinds.get(talk) ?? kindOf(talk)
      const script = scriptOf(settings.category, kind, languageOf(numbers.get(talk.rider) ?? 0), choice)
      converse(city, written, talk, script, chance, kind === 'left_unread')
    }
  }
  return written
}

/** The trips that a driver has accepted, in the order of their bookings. */
function talksOf({ bookings, events }: World): Talk[] {
  const times = new Map<string, Map<string, number>>()
  for (const { booking_id, to, at } of events) {
    const known = times.get(booking_id) ?? new Map<string, number>()
    if (!known.has(to)) known.set(to, at)
    times.set(booking_id, known)
  }
  return [...bookings.values()].flatMap(({ id, customer, driver }) => {
    const reached = times.get(id)
    return driver !== null && reached?.has('ACCEPTED')
      ? [{ booking: id, rider: customer, driver, times: reached }]
      : []
  })
}

function kindOf({ times }: Talk): ScriptKind {
  if (times.has('REACHED')) return 'driven'
  const waited = (times.get('CANCELLED') ?? 0) - (times.get('ACCEPTED') ?? 0)
  return waited > waitedMs ? 'cancelled_late' : 'cancelled_soon'
}

/** The two people write the lines of a script. Throws a refusal of the rules, because the scripts are made so that none occurs. */
function converse(
  city: World,
  written: PastChats,
  talk: Talk,
  script: readonly ScriptLine[],
  chance: () => number,
  isLeftUnread = false,
): void {
  const { booking, driver, rider } = talk
  const quickTexts = city.world.settings.category === 'delivery' ? { ...texts, ...deliveryTexts } : texts
  const marks: Record<ChatSide, ChatMark> = {
    rider: { delivered: 0, read: 0 },
    driver: { delivered: 0, read: 0 },
  }
  const last: Record<ChatSide, number> = { rider: 0, driver: 0 }
  const read = (side: ChatSide, seq: number) => {
    marks[side] = movedMark(marks[side], { read: last[otherSide(side)] }, seq)
  }
  const messages: MessageRow[] = []
  let photos = 0
  for (const { by, at: status, say, time } of timed(talk, script, chance)) {
    const seq = messages.length + 1
    const kind: MessageKind = 'quick' in say ? 'quick' : 'photo' in say ? 'photo' : 'text'
    const refusal = refusalToSend({ status, blockedBy: [], messages: messages.length, photos }, kind)
    if (refusal !== null) throw new Refusal(refusal)
    if ('quick' in say && !isQuickReplyOf(by, say.quick)) throw new Refusal('invalid_input')
    const upload = kind === 'photo' ? city.newId(time) : null
    if (upload !== null) {
      photos += 1
      written.photos.push({ booking, upload })
    }
    // They have read what came before their answer.
    read(by, seq - 1)
    last[by] = seq
    marks[otherSide(by)] = movedMark(marks[otherSide(by)], { delivered: seq }, seq)
    messages.push({
      id: city.newId(time),
      booking_id: booking,
      driver_id: driver,
      seq,
      at: time,
      from_user: by === 'rider' ? rider : driver,
      source: by,
      kind,
      message: 'quick' in say ? quickTexts[`quick_${say.quick}`] : 'text' in say ? say.text : '',
      quick: 'quick' in say ? say.quick : null,
      photo: upload,
      sms_id: city.newId(time),
    })
  }
  const [first] = messages
  if (first === undefined) return
  read('driver', messages.length)
  if (!isLeftUnread) read('rider', messages.length)
  written.messages.push(...messages)
  written.chats.push({
    booking_id: booking,
    driver_id: driver,
    created_at: first.at,
    last_seq: messages.length,
    photos,
    rider_delivered: marks.rider.delivered,
    rider_read: marks.rider.read,
    driver_delivered: marks.driver.delivered,
    driver_read: marks.driver.read,
    rider_blocked_at: null,
    driver_blocked_at: null,
  })
}

/** The lines whose stage the trip has reached, with their times: seconds apart, and before the stage has ended. */
function* timed({ times }: Talk, script: readonly ScriptLine[], chance: () => number) {
  const starts = [...times.values()].sort((one, other) => one - other)
  let before = 0
  for (const [index, line] of script.entries()) {
    const start = times.get(line.at)
    if (start === undefined) continue
    const end = starts.find((at) => at > start) ?? start
    const left = script.slice(index).filter(({ at }) => at === line.at).length
    // Couriers write at the door of a recipient, not while they ride there.
    const earliest = isOneOf(['STARTED'], line.at) ? start + 0.7 * (end - start) : start
    const from = Math.max(before, earliest)
    const pause = Math.min(4_000 + chance() * 36_000, (end - from) / (left + 1))
    before = Math.floor(from + pause)
    yield { ...line, time: before }
  }
}

/** One of the two reports the conversation an hour after the trip. */
function report(city: World, written: PastChats, talk: Talk, { by, reason, note }: ReportedScript['report']) {
  const at = (talk.times.get('REACHED') ?? 0) + 3_600_000
  written.reports.push({
    id: city.newId(at),
    booking_id: talk.booking,
    driver_id: talk.driver,
    by,
    by_user: by === 'rider' ? talk.rider : talk.driver,
    reason,
    note,
    at,
    settled_at: null,
    settled_by: null,
    settled_note: null,
  })
}
