import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cityDay, cityDayStart, cityTime, fromCityTime, nextDay, toCityTime } from './city-time.ts'

describe('cityDayStart', () => {
  test.each([
    ['2026-11-30', 'America/Montevideo', '2026-11-30T03:00:00Z'],
    ['2026-11-30', 'UTC', '2026-11-30T00:00:00Z'],
    ['2026-11-30', 'Asia/Kathmandu', '2026-11-29T18:15:00Z'],
    // Clocks go from midnight to one, and from midnight back to eleven.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00Z'],
    ['2018-02-17', 'America/Sao_Paulo', '2018-02-17T02:00:00Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
  ])('%s in %s -> %s', (day, zone, start) => {
    expect(cityDayStart(day, zone)).toBe(Date.parse(start))
  })

  test.each(['2026-02-30', '2026-13-01', '2026-00-10', 'today', ''])('invalid day %s -> null', (day) => {
    expect(cityDayStart(day, 'UTC')).toBeNull()
  })

  test('any day -> the first moment of that day', () => {
    const zones = fc.constantFrom(
      'America/Montevideo',
      'America/Asuncion',
      'Africa/Cairo',
      'Asia/Beirut',
      'Europe/Rome',
    )
    const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(zones, days, (zone, date) => {
        const day = date.toISOString().slice(0, 10)
        const start = cityDayStart(day, zone) as number
        expect(cityDay(start, zone)).toBe(day)
        expect(cityDay(start - 1, zone) < day).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

test('nextDay: end of a year -> the first of January', () => {
  expect(nextDay('2026-12-31')).toBe('2027-01-01')
  expect(nextDay('2026-02-30x')).toBeNull()
})

test('cityTime: moment -> local time', () => {
  expect(cityTime(Date.parse('2026-11-30T02:59:59.999Z'), 'America/Montevideo')).toBe('2026-11-29 23:59:59')
})

describe('fromCityTime, toCityTime', () => {
  const noon = Date.UTC(2026, 10, 21, 12, 0)

  test('time zone -> local time and back', () => {
    expect(toCityTime(noon, 'America/Montevideo')).toBe('2026-11-21T09:00')
    expect(fromCityTime('2026-11-21T09:00', 'America/Montevideo')).toBe(noon)
    expect(fromCityTime('2026-11-21T17:30', 'Asia/Kolkata')).toBe(noon)
  })

  test('daylight saving change -> accounted for', () => {
    for (const text of ['2026-03-28T12:00', '2026-03-29T12:00', '2026-10-25T12:00']) {
      expect(toCityTime(fromCityTime(text, 'Europe/Berlin'), 'Europe/Berlin')).toBe(text)
    }
  })

  test.each([
    ['skipped time', '2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    ['time that occurs twice', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
  ])('%s -> the moment after the gap, the earlier moment', (_case, text, moment) => {
    expect(fromCityTime(text, 'Europe/Berlin')).toBe(Date.parse(moment))
  })

  test('invalid text -> NaN', () => {
    expect(fromCityTime('', 'Europe/Berlin')).toBeNaN()
  })
})
