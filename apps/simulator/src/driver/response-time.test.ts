import { expect, test } from 'vitest'
import { boardingTime, courtesyTime, reactionTime } from './response-time.ts'

const asked = (expires_at: number | null, pickupS = 60) => ({
  request: { requested_at: 0, expires_at, pickupKm: 1, pickupS, asked: 2 },
})

test.each([0, 0.5, 1])('courtesyTime: real driver also asked, 30 s left -> waits 28 s (luck %d)', (luck) => {
  const wait = courtesyTime(asked(30_000), 4_000, luck)
  expect(4 + wait).toBeGreaterThanOrEqual(28)
  expect(4 + wait).toBeLessThan(30)
})

test('courtesyTime: almost expired, or an assignment -> no wait', () => {
  expect(courtesyTime(asked(30_000), 29_900, 1)).toBe(0)
  expect(courtesyTime(asked(null), 4_000, 1)).toBe(0)
})

test('reactionTime: near the pickup -> shorter than far away', () => {
  expect(reactionTime(asked(30_000, 30), 1)).toBeLessThan(reactionTime(asked(30_000, 900), 0))
})

test('boardingTime: booked for later -> after the trip date; booked now -> immediately', () => {
  const later = { bookLater: true, tripdate: 600_000 }
  expect(boardingTime(later, 0, 0)).toBeGreaterThan(600)
  expect(boardingTime(later, 700_000, 1)).toBeLessThanOrEqual(15)
  expect(boardingTime({ bookLater: false, tripdate: 600_000 }, 0, 1)).toBeLessThanOrEqual(15)
})
