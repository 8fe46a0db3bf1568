import { expect, test } from 'vitest'
import { maxUsesPerRider } from '../fare/promo.ts'
import { maySearch, openLimitRefusal } from './new-booking.ts'

const taxi = (now: number, later: number, searching: number, bookLater: boolean) =>
  openLimitRefusal({ now, later, searching }, { bookLater, category: 'taxi', maxOpenDeliveries: 500 })

test.each([
  [0, 20, 0, false, null],
  [4, 0, 1, false, null],
  [4, 0, 2, false, 'too_many_searches'],
  [5, 0, 0, false, 'too_many_bookings'],
  [5, 19, 2, true, null],
  [0, 20, 0, true, 'too_many_bookings'],
] as const)(
  'open bookings: %i now, %i later, %i searching, later %s -> %s',
  (now, later, searching, is, key) => {
    expect(taxi(now, later, searching, is)).toBe(key)
  },
)

test('open bookings: a sender of deliveries -> up to five hundred', () => {
  const refusal = (now: number, later: number) =>
    openLimitRefusal(
      { now, later, searching: 400 },
      { bookLater: false, category: 'delivery', maxOpenDeliveries: 500 },
    )
  expect(refusal(400, 99)).toBeNull()
  expect(refusal(400, 100)).toBe('too_many_bookings')
})

test.each([
  [1, 1],
  [2, 1],
  [5, 2],
  [10, 5],
  [100_000, 5],
])('promo uses: %i in all -> %i for one rider', (all, own) => {
  expect(maxUsesPerRider(all)).toBe(own)
})

test.each([
  [1, true, false, 'taxi', true],
  [2, true, false, 'taxi', false],
  [2, false, false, 'taxi', true],
  [2, true, true, 'taxi', true],
  [2, true, false, 'delivery', true],
] as const)(
  'searching: %i others, later %s, by an admin %s, %s -> %s',
  (others, bookLater, booking_type_admin, category, may) => {
    expect(maySearch(others, { bookLater, booking_type_admin }, category)).toBe(may)
  },
)
