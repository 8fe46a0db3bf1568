import { expect, test } from 'vitest'
import { bookingStatuses } from '../bookings/status.ts'
import { type EndingChange, endedByChange, endings, endsWhenSeen, isEnded, replacedBy } from './endings.ts'
import { type AnyNotice, kindOfNotice, titleOf } from './kinds.ts'

const given = (changes: Partial<EndingChange>): EndingChange => ({
  booking: 'b1',
  command: 'arrive',
  from: 'ACCEPTED',
  to: 'ARRIVED',
  gone: [],
  effects: [],
  ...changes,
})
const ends = (notice: AnyNotice, changes: Partial<EndingChange>, user = 'u1', booking = 'b1') =>
  isEnded({ title: titleOf(notice), user, booking }, endedByChange(given(changes)))

test('payment: due or contested -> ends when the trip is paid, written off or contested by the rider', () => {
  for (const notice of ['payment_due', 'not_paid'] as const) {
    expect(ends(notice, { command: 'settle_capture', from: 'PENDING', to: 'PAID' })).toBe(true)
    expect(ends(notice, { command: 'choose_payment', from: 'PENDING', to: 'PENDING' })).toBe(false)
    expect(ends(notice, { command: 'close', from: 'REACHED', to: 'PENDING' })).toBe(false)
  }
  const object = { command: 'object', from: 'PENDING', to: 'PENDING' } as const
  expect(ends('not_paid', object)).toBe(true)
  expect(ends('outstanding_not_paid', { ...object, from: 'PAID', to: 'PAID' })).toBe(true)
  expect(ends('payment_due', object)).toBe(false)
  expect(ends('objected', { command: 'decide_objection', from: 'PENDING', to: 'PENDING' })).toBe(true)
  expect(ends('objected', object)).toBe(false)
})

test('trip: next step -> ends what the last one said; another booking -> nothing', () => {
  expect(ends('accepted', {})).toBe(true)
  expect(ends('driver_near', {})).toBe(false)
  expect(ends('accepted', {}, 'u1', 'b2')).toBe(false)
  expect(ends('trip_started', { command: 'deliver', from: 'STARTED', to: 'STARTED' })).toBe(false)
  expect(ends('trip_changed', { command: 'cancel', to: 'CANCELLED' })).toBe(true)
  expect(endedByChange(given({ command: 'create', from: null, to: 'NEW' }))).toEqual([])
})

test('request: gone -> ends for that driver; trip taken -> ends all requests to its driver', () => {
  const gone = { command: 'decline', from: 'NEW', to: 'NEW', gone: [{ driver: 'd1' }] } as const
  for (const notice of ['new_booking', 'next_trip'] as const) {
    expect(ends(notice, gone, 'd1')).toBe(true)
    expect(ends(notice, gone, 'd2')).toBe(false)
    expect(ends(notice, gone, 'd1', 'b2')).toBe(false)
    const claimed = { effects: [{ kind: 'claim_driver', driver: 'd1' }] }
    expect(ends(notice, claimed, 'd1', 'b2')).toBe(true)
    expect(ends(notice, claimed, 'd2', 'b2')).toBe(false)
  }
})

test('account: new decision -> replaces the earlier one', () => {
  expect(replacedBy({ user: 'u1', title: 'notify.account_approved.title' })).toEqual([
    { user: 'u1', titles: ['notify.account_rejected.title'] },
  ])
  expect(replacedBy({ user: 'u1', title: 'notify.rated.title' })).toEqual([])
})

test('seen: information -> ends; a request, a debt, a message or an alert -> does not', () => {
  const seen = (notice: AnyNotice) => endsWhenSeen({ title: titleOf(notice) })
  expect([seen('account_rejected'), seen('topped_up'), seen('rated')]).toEqual([true, true, true])
  expect([seen('new_booking'), seen('payment_due'), seen('chat_message')]).toEqual([false, false, false])
  expect(endsWhenSeen({ title: 'alert.withdrawal.title' })).toBe(false)
})

test('every notice about a state of its booking -> ends at the latest with the booking', () => {
  const notices = Object.keys(kindOfNotice) as AnyNotice[]
  for (const notice of notices.filter((one) => endings[one].leaves !== undefined)) {
    const over = bookingStatuses.filter((to) => ends(notice, { command: 'change', from: 'REACHED', to }))
    expect([notice, over]).toEqual([notice, expect.arrayContaining(['COMPLETE', 'CANCELLED'])])
  }
})
