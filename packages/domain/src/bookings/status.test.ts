import { expect, it } from 'vitest'
import { agreedPickupAt, bookingStatuses, hasTripUnderWay, isOpen, isUpcoming } from './status.ts'

it.each([
  ['NEW', false, true],
  ['STARTED', false, true],
  ['PAYMENT_PENDING', false, true],
  ['NEW', true, false],
  ['PENDING', false, false],
  ['PAID', false, false],
  ['CANCELLED', false, false],
] as const)('trip under way: %s, Book Later %s -> %s', (status, bookLater, underWay) => {
  expect(hasTripUnderWay([{ status, bookLater }])).toBe(underWay)
})

it.each([
  ['NEW', 101, true],
  ['NEW', 100, false],
  ['NEW', null, false],
  ['ACCEPTED', 101, false],
] as const)('upcoming at 100: %s, drivers asked at %s -> %s', (status, drivers_asked_at, upcoming) => {
  expect(isUpcoming({ status, drivers_asked_at }, 100)).toBe(upcoming)
})

it.each([
  ['NEW', true, 101, 101],
  ['ACCEPTED', true, 101, 101],
  ['ARRIVED', true, 101, 101],
  ['ACCEPTED', true, 100, null],
  ['ACCEPTED', false, 101, null],
  ['PAYMENT_PENDING', true, 101, null],
  ['STARTED', true, 101, null],
  ['CANCELLED', true, 101, null],
] as const)('agreed pickup at 100: %s, Book Later %s, for %s -> %s', (status, bookLater, tripdate, at) => {
  expect(agreedPickupAt({ status, bookLater, tripdate }, 100)).toBe(at)
})

it('isOpen: every status but those of a paid or cancelled trip', () => {
  expect(bookingStatuses.filter((status) => !isOpen(status))).toEqual(['PAID', 'COMPLETE', 'CANCELLED'])
})
