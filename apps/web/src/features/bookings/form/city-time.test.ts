import { expect, it } from 'vitest'
import { bookLaterLeadMs } from '@hansom/domain/dispatch/timing'
import { earliestTrip, fromCityTime, toCityTime } from './city-time.ts'

const noon = Date.UTC(2026, 10, 21, 12, 0)

it('writes and reads the wall clock of a time zone', () => {
  expect(toCityTime(noon, 'America/Montevideo')).toBe('2026-11-21T09:00')
  expect(fromCityTime('2026-11-21T09:00', 'America/Montevideo')).toBe(noon)
  expect(fromCityTime('2026-11-21T17:30', 'Asia/Kolkata')).toBe(noon)
})

it('counts a change of the clocks', () => {
  for (const text of ['2026-03-28T12:00', '2026-03-29T12:00', '2026-10-25T12:00']) {
    expect(toCityTime(fromCityTime(text, 'Europe/Berlin'), 'Europe/Berlin')).toBe(text)
  }
})

it('reads no time from what is none', () => {
  expect(fromCityTime('', 'Europe/Berlin')).toBeNaN()
})

it('offers a time on five full minutes that is still far enough when it is sent', () => {
  for (const now of [noon, noon + 1, noon + 4 * 60_000 + 59_999, noon + 299_000]) {
    const earliest = earliestTrip(now)
    expect(earliest % 300_000).toBe(0)
    expect(earliest - now).toBeGreaterThanOrEqual(bookLaterLeadMs + 30_000)
    expect(earliest - now).toBeLessThan(bookLaterLeadMs + 30_000 + 300_000)
  }
})
