import type { BookingStatus } from '../bookings/status.ts'
import type { ChatSide } from './chat.ts'

/** Ready-made messages by key; their texts are in the language packs under `chat.quick_<key>`. */
export const quickReplies = [
  'on_my_way',
  'two_minutes',
  'in_traffic',
  'arrived',
  'cannot_find_you',
  'waiting_here',
  'coming',
  'at_entrance',
  'please_wait',
  'where_are_you',
  'cannot_see_you',
  'drop_here',
  'thanks',
  'ok',
] as const
export type QuickReply = (typeof quickReplies)[number]

const offered: Record<ChatSide, Partial<Record<BookingStatus, readonly QuickReply[]>>> = {
  driver: {
    ACCEPTED: ['on_my_way', 'two_minutes', 'in_traffic', 'ok'],
    ARRIVED: ['arrived', 'cannot_find_you', 'waiting_here', 'ok'],
    STARTED: ['in_traffic', 'ok', 'thanks'],
    REACHED: ['thanks', 'ok'],
  },
  rider: {
    ACCEPTED: ['coming', 'at_entrance', 'where_are_you', 'ok'],
    ARRIVED: ['coming', 'at_entrance', 'please_wait', 'cannot_see_you'],
    STARTED: ['drop_here', 'ok', 'thanks'],
    REACHED: ['thanks', 'ok'],
  },
}

/** The quick replies that fit one person at this stage of the trip. */
export function quickRepliesFor(side: ChatSide, status: BookingStatus): readonly QuickReply[] {
  return offered[side][status] ?? []
}

const ofSide: Record<ChatSide, ReadonlySet<QuickReply>> = {
  driver: new Set(Object.values(offered.driver).flat()),
  rider: new Set(Object.values(offered.rider).flat()),
}

/** True for a quick reply of this person at any stage: one may be sent late, after a lost connection. */
export const isQuickReplyOf = (side: ChatSide, key: QuickReply): boolean => ofSide[side].has(key)
