import { describe, expect, test } from 'vitest'
import { noDriverFound } from '../bookings/status.ts'
import { areaCenter, areaOf, outcomeOf, ratesOf } from './operations.ts'

describe('outcomeOf', () => {
  test.each([
    ['PAID', null, null, 'completed'],
    ['PENDING', null, null, 'completed'],
    ['STARTED', null, null, null],
    ['CANCELLED', 'rider', 'plans', 'rider'],
    ['CANCELLED', 'system', noDriverFound, 'no_driver'],
    ['CANCELLED', 'system', 'cancelled incomplete booking', 'system'],
    ['CANCELLED', 'admin', noDriverFound, 'admin'],
  ] as const)('%s by %s because %s -> %s', (status, cancelledBy, reason, expected) => {
    expect(outcomeOf({ status, cancelledBy, reason })).toBe(expected)
  })
})

test('ratesOf: parts -> shares of what they belong to; nothing counted -> null', () => {
  const outcomes = { completed: 6, no_driver: 1, rider: 1, driver: 1, admin: 1, system: 0 }
  const rates = ratesOf({ bookings: 10, outcomes, offers: 20, acceptances: 7, offered: 8, accepted: 6 })
  expect(rates).toEqual({
    completed: 0.6,
    cancelled: 0.3,
    noDriver: 0.1,
    acceptedOffers: 0.35,
    acceptedBookings: 0.75,
  })
  const none = { completed: 0, no_driver: 0, rider: 0, driver: 0, admin: 0, system: 0 }
  const empty = ratesOf({ bookings: 0, outcomes: none, offers: 0, acceptances: 0, offered: 0, accepted: 0 })
  expect(Object.values(empty)).toEqual([null, null, null, null, null])
})

test.each([
  [-34.9011, -56.1645],
  [51.5, -0.12],
  [-0.001, 179.999],
  [0, 0],
])('areaOf: %d, %d -> a cell whose center is in it', (lat, lng) => {
  const area = areaOf({ lat, lng })
  const center = areaCenter(area)
  expect(areaOf(center)).toBe(area)
  expect(Math.abs(center.lat - lat)).toBeLessThanOrEqual(0.00501)
  expect(Math.abs(center.lng - lng)).toBeLessThanOrEqual(0.00501)
})
