import { expect, it } from 'vitest'
import { bookingStatuses, hasTripUnderWay, isOpen, isUpcoming } from './status.ts'

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

it('isOpen: every status but those of a paid or cancelled trip', () => {
  expect(bookingStatuses.filter((status) => !isOpen(status))).toEqual(['PAID', 'COMPLETE', 'CANCELLED'])
})
