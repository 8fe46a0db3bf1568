import { describe, expect, test } from 'vitest'
import { bookingStatuses, drivingStatuses } from '../bookings/status.ts'
import {
  chatLimits,
  chatSides,
  chatStateOf,
  isChatOpen,
  messageTimes,
  movedMark,
  refusalToSend,
} from './chat.ts'
import { isQuickReplyOf, quickReplies, quickRepliesFor } from './quick-replies.ts'

const empty = { messages: 0, photos: 0, blockedBy: [] } as const

describe('state of a conversation', () => {
  test('each status -> open from ACCEPTED to REACHED only', () => {
    const open = bookingStatuses.filter(isChatOpen)
    expect(open).toEqual([...drivingStatuses])
    expect(chatStateOf({ status: 'PENDING', blockedBy: [] })).toBe('closed')
  })

  test('blocked by either person -> blocked; after the end -> closed', () => {
    for (const side of chatSides) {
      expect(chatStateOf({ status: 'ACCEPTED', blockedBy: [side] })).toBe('blocked')
      expect(chatStateOf({ status: 'PAID', blockedBy: [side] })).toBe('closed')
    }
  })
})

describe('refusal of a message', () => {
  test('open -> none; closed, blocked -> their keys', () => {
    expect(refusalToSend({ ...empty, status: 'STARTED' }, 'text')).toBeNull()
    expect(refusalToSend({ ...empty, status: 'COMPLETE' }, 'text')).toBe('chat_closed')
    expect(refusalToSend({ ...empty, status: 'STARTED', blockedBy: ['rider'] }, 'text')).toBe('chat_blocked')
  })

  test('limits -> the last one passes, the next does not', () => {
    const at = (messages: number, photos: number) => ({
      ...empty,
      messages,
      photos,
      status: 'ARRIVED' as const,
    })
    expect(refusalToSend(at(chatLimits.messages - 1, 0), 'quick')).toBeNull()
    expect(refusalToSend(at(chatLimits.messages, 0), 'quick')).toBe('chat_full')
    expect(refusalToSend(at(0, chatLimits.photos - 1), 'photo')).toBeNull()
    expect(refusalToSend(at(0, chatLimits.photos), 'photo')).toBe('too_many_photos')
    expect(refusalToSend(at(0, chatLimits.photos), 'text')).toBeNull()
  })
})

describe('marks', () => {
  test('moving back or beyond the last message -> stays within', () => {
    expect(movedMark({ delivered: 5, read: 3 }, { delivered: 2, read: 1 }, 9)).toEqual({
      delivered: 5,
      read: 3,
    })
    expect(movedMark({ delivered: 5, read: 3 }, { delivered: 99 }, 9)).toEqual({ delivered: 9, read: 3 })
  })

  test('read -> delivered too', () => {
    expect(movedMark({ delivered: 0, read: 0 }, { read: 4 }, 9)).toEqual({ delivered: 4, read: 4 })
  })
})

test('messageTimes -> month:day:year and hour:minute of the city', () => {
  const at = Date.parse('2026-03-05T02:07:00Z')
  expect(messageTimes(at, 'America/Montevideo')).toEqual({ msgDate: '3:4:2026', msgTime: '23:07' })
  expect(messageTimes(at, 'UTC')).toEqual({ msgDate: '3:5:2026', msgTime: '02:07' })
})

describe('quick replies', () => {
  test('each open status -> some for both people; closed -> none', () => {
    for (const side of chatSides) {
      for (const status of bookingStatuses) {
        expect(quickRepliesFor(side, status).length > 0, `${side} ${status}`).toBe(isChatOpen(status))
      }
    }
  })

  test('every key -> offered to someone, and to its own side only', () => {
    const unused = quickReplies.filter((key) => !chatSides.some((side) => isQuickReplyOf(side, key)))
    expect(unused).toEqual([])
    expect(isQuickReplyOf('rider', 'arrived')).toBe(false)
    expect(isQuickReplyOf('driver', 'at_entrance')).toBe(false)
  })
})
