import { type BookingStatus, drivingStatuses, isOneOf } from '../bookings/status.ts'
import type { ErrorKey } from '../error-keys.ts'
import { cityTime } from '../time/city-time.ts'

/** The two people of a conversation. */
export const chatSides = ['rider', 'driver'] as const
export type ChatSide = (typeof chatSides)[number]

/** `removed`: its sender's account was deleted. */
export const messageKinds = ['text', 'quick', 'photo', 'removed'] as const
export type MessageKind = (typeof messageKinds)[number]

/** A blocked conversation is open, but takes no message until each person who blocked the other has ended it. */
export const chatStates = ['open', 'blocked', 'closed'] as const
export type ChatState = (typeof chatStates)[number]

export const reportReasons = ['abusive', 'fraud', 'unsafe', 'spam', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

/** Characters of a message and of a report's note, and the most messages and photos of a conversation. */
export const chatLimits = { text: 1_000, note: 1_000, messages: 1_000, photos: 30 } as const

/** The most messages, marks or other calls of one person in one conversation within a time, ms. */
export const chatBursts = {
  send: { most: 30, withinMs: 30_000 },
  mark: { most: 120, withinMs: 30_000 },
  report: { most: 5, withinMs: 3_600_000 },
} as const

/** An admin who has read a conversation opens its photos for this time without another row in the audit log, ms. */
export const readingMs = 3_600_000

/** How often typing is published for one person; it is shown for a little longer than twice that. */
export const typingEveryMs = 2_000
export const typingShownMs = 5_000

/** The newest messages of a snapshot and of one page. */
export const chatPageSize = 50

/** What a conversation's rules need to know of it. */
export interface Conversation {
  /** The status of the booking. */
  status: BookingStatus
  /** The people who have blocked the other. */
  blockedBy: readonly ChatSide[]
}

/** Writing is possible while the booking has its driver, until the trip has ended. */
export function isChatOpen(status: BookingStatus): boolean {
  return isOneOf(drivingStatuses, status)
}

export function chatStateOf({ status, blockedBy }: Conversation): ChatState {
  if (!isChatOpen(status)) return 'closed'
  return blockedBy.length > 0 ? 'blocked' : 'open'
}

/** Why a message is refused; null if it may be sent. `messages` and `photos` are the numbers sent so far. */
export function refusalToSend(
  conversation: Conversation & { messages: number; photos: number },
  kind: MessageKind,
): ErrorKey | null {
  const state = chatStateOf(conversation)
  if (state === 'closed') return 'chat_closed'
  if (state === 'blocked') return 'chat_blocked'
  if (conversation.messages >= chatLimits.messages) return 'chat_full'
  return kind === 'photo' && conversation.photos >= chatLimits.photos ? 'too_many_photos' : null
}

export const otherSide = (side: ChatSide): ChatSide => (side === 'rider' ? 'driver' : 'rider')

/** How far one person has received and read the conversation: the numbers of the last such messages. */
export interface ChatMark {
  delivered: number
  read: number
}

/** Moves a mark; it never goes back, nor beyond the last message. What was read was delivered. */
export function movedMark(mark: ChatMark, to: Partial<ChatMark>, last: number): ChatMark {
  const read = Math.min(last, Math.max(mark.read, to.read ?? 0))
  const delivered = Math.min(last, Math.max(mark.delivered, to.delivered ?? 0, read))
  return { delivered, read }
}

/** Day and time of a message as the specification writes them: `month:day:year` and `hour:minute`, in the city's time. */
export function messageTimes(at: number, timezone: string): { msgDate: string; msgTime: string } {
  const [day = '', time = ''] = cityTime(at, timezone).split(' ')
  const [year, month, date] = day.split('-').map(Number)
  const [hour, minute] = time.split(':')
  return { msgDate: `${month}:${date}:${year}`, msgTime: `${hour}:${minute}` }
}
