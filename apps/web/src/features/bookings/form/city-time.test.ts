import { bookLaterLeadMs } from '@hansom/domain/dispatch/timing'
import { expect, it } from 'vitest'
import { earliestTrip, fromCityTime, toCityTime } from './city-time.ts'

const noon = Date.UTC(2026, 10, 21, 12, 0)

it('time zone -> wall clock and back', () => {
  expect(toCityTime(noon, 'America/Montevideo')).toBe('2026-11-21T09:00')
  expect(fromCityTime('2026-11-21T09:00', 'America/Montevideo')).toBe(noon)
  expect(fromCityTime('2026-11-21T17:30', 'Asia/Kolkata')).toBe(noon)
})

it('daylight saving change -> accounted for', () => {
  for (const text of ['2026-03-28T12:00', '2026-03-29T12:00', '2026-10-25T12:00']) {
    expect(toCityTime(fromCityTime(text, 'Europe/Berlin'), 'Europe/Berlin')).toBe(text)
  }
})

it('invalid text -> NaN', () => {
  expect(fromCityTime('', 'Europe/Berlin')).toBeNaN()
})

it('earliestTrip -> full five minutes, still valid when the request is sent', () => {
  for (const now of [noon, noon + 1, noon + 4 * 60_000 + 59_999, noon + 299_000]) {
    const earliest = earliestTrip(now)
    expect(earliest % 300_000).toBe(0)
    expect(earliest - now).toBeGreaterThanOrEqual(bookLaterLeadMs + 30_000)
    expect(earliest - now).toBeLessThan(bookLaterLeadMs + 30_000 + 300_000)
  }
})
