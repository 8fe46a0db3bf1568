import { describe, expect, it } from 'vitest'
import {
  bestCandidate,
  isAlarm,
  isLate,
  isSoonFree,
  type QueuedBooking,
  queuePart,
  rankCandidates,
  sortQueue,
} from './board.ts'

const minute = 60_000
const rules = { alarmAfter: 3, leadMinutes: 15 }
const now = 100 * minute
const booking = (changes: Partial<QueuedBooking> = {}): QueuedBooking => ({
  id: 'b',
  status: 'NEW',
  bookLater: false,
  bookingDate: now - minute,
  tripdate: now,
  ...changes,
})
const later = (minutes: number) =>
  booking({ bookLater: true, bookingDate: 0, tripdate: now + minutes * minute })

describe('queuePart', () => {
  it.each([
    [booking(), 'searching'],
    [later(15), 'searching'],
    [later(16), 'planned'],
    [later(24 * 60), 'planned'],
    [later(24 * 60 + 1), null],
    [later(-5), 'searching'],
    [booking({ status: 'ACCEPTED' }), 'assigned'],
    [booking({ status: 'ARRIVED' }), 'assigned'],
    [booking({ status: 'STARTED' }), null],
    [booking({ status: 'CANCELLED' }), null],
  ] as const)('%o -> %s', (given, part) => {
    expect(queuePart(given, rules, now)).toBe(part)
  })
})

it('isLate: an accepted driver a minute after the promised time -> late; once arrived -> not', () => {
  const late = { status: 'ACCEPTED', promised_arrival: now - 60_000 } as const
  expect(isLate(late, now)).toBe(true)
  expect(isLate(late, now - 1)).toBe(false)
  expect(isLate({ ...late, status: 'ARRIVED' }, now)).toBe(false)
  expect(isLate({ ...late, promised_arrival: null }, now)).toBe(false)
})

describe('isAlarm', () => {
  it('search of alarmAfter minutes -> alarm; not before, and never with 0', () => {
    const old = booking({ bookingDate: now - 3 * minute })
    expect(isAlarm(old, rules, now)).toBe(true)
    expect(isAlarm(old, rules, now - 1)).toBe(false)
    expect(isAlarm(old, { ...rules, alarmAfter: 0 }, now)).toBe(false)
    expect(isAlarm({ ...old, status: 'ACCEPTED' }, rules, now)).toBe(false)
  })

  it('scheduled trip -> counted from the start of its search, not from its booking', () => {
    expect(isAlarm(later(13), rules, now)).toBe(false)
    expect(isAlarm(later(12), rules, now)).toBe(true)
  })
})

it('sortQueue: longest search first, then scheduled and assigned trips by time, ties by id', () => {
  const all = [
    booking({ id: 'assigned', status: 'ARRIVED' }),
    { ...later(60), id: 'in an hour' },
    { ...later(20), id: 'in 20 min' },
    booking({ id: 'started', status: 'STARTED' }),
    booking({ id: 'b1' }),
    booking({ id: 'a1' }),
    booking({ id: 'oldest', bookingDate: now - 9 * minute }),
  ]
  expect(sortQueue(all, rules, now).map((row) => row.booking.id)).toEqual([
    'oldest',
    'a1',
    'b1',
    'in 20 min',
    'in an hour',
    'assigned',
  ])
})

it('isSoonFree: near the drop or there -> true; far away, or before the trip -> false', () => {
  const drop = { lat: 0, lng: 0 }
  const away = (km: number) => ({ lat: km / 111.195, lng: 0 })
  expect(isSoonFree('STARTED', away(3.3), drop)).toBe(true)
  expect(isSoonFree('STARTED', away(3.4), drop)).toBe(false)
  expect(isSoonFree('REACHED', away(9), drop)).toBe(true)
  expect(isSoonFree('ACCEPTED', away(0), drop)).toBe(false)
})

it('candidates: by arrival, blocked ones last; the best is free and not blocked', () => {
  const driver = (id: string, arrivalS: number, freeS = 0, blocked: 'declined' | null = null) => ({
    id,
    arrivalS,
    freeS,
    blocked,
  })
  const ranked = rankCandidates([
    driver('declined', 10, 0, 'declined'),
    driver('far', 300),
    driver('b', 100),
    driver('a', 100),
    driver('soon', 90, 60),
  ])
  expect(ranked.map(({ id }) => id)).toEqual(['soon', 'a', 'b', 'far', 'declined'])
  expect(bestCandidate(ranked)?.id).toBe('a')
  expect(bestCandidate(ranked.filter(({ id }) => id === 'soon' || id === 'declined'))?.id).toBe('soon')
  expect(bestCandidate(ranked.slice(4))).toBeUndefined()
})
