import { describe, expect, test } from 'vitest'
import { defaultPreferences, mailTopics, tidyPreferences } from './topics.ts'
import { isTripMessageDue, reminderAt, tripMessageFor } from './trip-message.ts'

const later = { bookLater: true, rebooked_from: null, rebooked_as: null }
const now = { ...later, bookLater: false }
const create = { command: 'create', from: null, to: 'NEW' } as const
const cancel = { command: 'cancel', from: 'NEW', to: 'CANCELLED' } as const

describe('tripMessageFor', () => {
  test.each([
    ['booked', later, create],
    ['booked', now, create],
    // Another car replaces the first one: the trip is the same.
    [null, { ...later, rebooked_from: 'other' }, create],
    [null, later, { command: 'create', from: null, to: 'PAYMENT_PENDING' }],
    ['booked', later, { command: 'capture_payment', from: 'PAYMENT_PENDING', to: 'NEW' }],
    ['changed', later, { command: 'change', from: 'NEW', to: 'NEW' }],
    [null, later, { command: 'change', from: 'PAYMENT_PENDING', to: 'PAYMENT_PENDING' }],
    [null, now, { command: 'change', from: 'NEW', to: 'NEW' }],
    ['driver', later, { command: 'accept', from: 'NEW', to: 'ACCEPTED' }],
    ['driver', now, { command: 'accept', from: 'NEW', to: 'ACCEPTED' }],
    ['arrived', now, { command: 'arrive', from: 'ACCEPTED', to: 'ARRIVED' }],
    ['no_driver', now, { command: 'find_no_driver', from: 'NEW', to: 'CANCELLED' }],
    ['arrived', later, { command: 'arrive', from: 'ACCEPTED', to: 'ARRIVED' }],
    [null, later, { command: 'start', from: 'ARRIVED', to: 'STARTED' }],
    ['no_driver', later, { command: 'find_no_driver', from: 'NEW', to: 'CANCELLED' }],
    ['cancelled', later, cancel],
    ['cancelled', later, { command: 'cancel', from: 'ACCEPTED', to: 'CANCELLED' }],
    [null, now, cancel],
    // It was never confirmed.
    [null, later, { command: 'expire_payment', from: 'PAYMENT_PENDING', to: 'CANCELLED' }],
    [null, { ...later, rebooked_as: 'next' }, { command: 'cancel', from: 'ACCEPTED', to: 'CANCELLED' }],
  ] as const)('%s: %o, %o', (message, trip, change) => {
    expect(tripMessageFor(trip, change)).toBe(message)
  })
})

const minute = 60_000
const at = 1_800_000_000_000

describe('reminderAt', () => {
  const trip = { bookLater: true, tripdate: at }
  test.each([
    ['an hour before', trip, create, at - 90 * minute, at - 60 * minute],
    ['too soon after the booking -> none', trip, create, at - 89 * minute, null],
    [
      'moved -> an hour before',
      trip,
      { command: 'change', from: 'NEW', to: 'NEW' },
      at - 300 * minute,
      at - 60 * minute,
    ],
    ['immediate -> none', { ...trip, bookLater: false }, create, at - 300 * minute, null],
    [
      'not paid -> none',
      trip,
      { command: 'create', from: null, to: 'PAYMENT_PENDING' },
      at - 300 * minute,
      null,
    ],
    [
      'paid -> an hour before',
      trip,
      { command: 'capture_payment', from: 'PAYMENT_PENDING', to: 'NEW' },
      at - 300 * minute,
      at - 60 * minute,
    ],
    [
      'accepted -> none, it was scheduled before',
      trip,
      { command: 'accept', from: 'NEW', to: 'ACCEPTED' },
      at - 300 * minute,
      null,
    ],
    ['cancelled -> none', trip, cancel, at - 300 * minute, null],
  ] as const)('%s', (_case, of, change, moment, due) => {
    expect(reminderAt(of, change, moment)).toBe(due)
  })
})

describe('isTripMessageDue', () => {
  test.each([
    ['reminder', 'NEW', at, at - minute, true],
    ['reminder', 'ACCEPTED', at, at - minute, true],
    ['reminder', 'ACCEPTED', at + minute, at - minute, false],
    ['reminder', 'NEW', at, at, false],
    ['reminder', 'ARRIVED', at, at - minute, false],
    ['reminder', 'CANCELLED', at, at - minute, false],
    ['booked', 'NEW', null, at, true],
    ['booked', 'STARTED', null, at, false],
    ['changed', 'STARTED', null, at, true],
    ['changed', 'PAID', null, at, false],
    ['driver', 'ACCEPTED', null, at, true],
    ['driver', 'NEW', null, at, false],
    ['arrived', 'STARTED', null, at, false],
    ['cancelled', 'CANCELLED', null, at, true],
  ] as const)('%s while %s, tripdate %s at %i -> %s', (message, status, tripdate, moment, due) => {
    expect(isTripMessageDue({ status, tripdate: at }, message, { now: moment, tripdate })).toBe(due)
  })
})

test('tidyPreferences: duplicates, texts without a verified number -> removed', () => {
  expect(
    tidyPreferences({ mails: ['receipt', 'booking', 'receipt'], texts: true }, { phoneVerified: false }),
  ).toEqual({
    mails: ['booking', 'receipt'],
    texts: false,
  })
  expect(tidyPreferences(defaultPreferences, { phoneVerified: true })).toEqual({
    mails: [...mailTopics],
    texts: false,
  })
})
