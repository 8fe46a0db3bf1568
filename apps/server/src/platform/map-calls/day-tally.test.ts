import { expect, test } from 'vitest'
import { type CallCount, DayTally } from './day-tally.ts'

const today = '2026-11-26'
const noCap = { calls: null, cost: null }
const row = (count: Partial<CallCount>): CallCount => ({
  day: today,
  service: 'google',
  kind: 'route',
  calls: 0,
  failures: 0,
  cost: 0,
  ...count,
})

test('take: cap of calls -> refused beyond it, without counting; the next day is a new one', () => {
  const tally = new DayTally({ calls: 2, cost: null })
  expect([1, 2, 3].map(() => tally.take(today, 'osrm', 'route', 0))).toEqual([true, true, false])
  expect(tally.total(today).calls).toBe(2)
  expect(tally.take('2026-11-27', 'osrm', 'route', 0)).toBe(true)
  expect(tally.total('2026-11-27').calls).toBe(1)
})

test('take: cap of cost -> a cheaper call still fits, a free one always does', () => {
  const tally = new DayTally({ calls: null, cost: 10_000 })
  expect(tally.take(today, 'google', 'route', 5_000)).toBe(true)
  expect(tally.take(today, 'google', 'driveTimes', 6_000)).toBe(false)
  expect(tally.take(today, 'google', 'address', 5_000)).toBe(true)
  expect(tally.take(today, 'google', 'search', 1)).toBe(false)
  expect(tally.take(today, 'osrm', 'route', 0)).toBe(true)
})

test('write: while writing and afterwards -> each call counts once; other servers count too', () => {
  const tally = new DayTally(noCap)
  tally.take(today, 'google', 'route', 5_000)
  tally.failed(today, 'google', 'route')
  expect(tally.write()).toEqual([row({ calls: 1, failures: 1, cost: 5_000 })])
  tally.take(today, 'google', 'route', 5_000)
  expect(tally.counts(today)).toEqual([row({ calls: 2, failures: 1, cost: 10_000 })])
  tally.written([row({ calls: 7, failures: 1, cost: 35_000 })])
  expect(tally.counts(today)).toEqual([row({ calls: 8, failures: 1, cost: 40_000 })])
})

test('write: failed -> the counts wait for the next time, with those of the day before', () => {
  const tally = new DayTally(noCap)
  tally.take('2026-11-25', 'google', 'route', 5_000)
  tally.write()
  tally.take(today, 'google', 'route', 5_000)
  tally.notWritten()
  expect(tally.total(today).calls).toBe(1)
  expect(tally.write().map(({ day, calls }) => [day, calls])).toEqual([
    [today, 1],
    ['2026-11-25', 1],
  ])
})
