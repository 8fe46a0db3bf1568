import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { defaultSettings } from '../settings/settings.ts'
import { fromCityTime } from '../time/city-time.ts'
import { type Weekday, weekdays } from '../time/weekdays.ts'
import { figuresAt, type RuleFields, ruleProblems } from './rules.ts'

const settings = { ...defaultSettings, timezone: 'America/Montevideo' }
const pickup = { lat: -34.9, lng: -56.17 }
const rule = (changes: Partial<RuleFields> = {}): RuleFields => ({
  ...defaultSettings.dispatch,
  strategy: 'batch',
  name: 'Evening rush',
  priority: 10,
  days: [...weekdays],
  from_hour: 0,
  to_hour: 24,
  area: null,
  area_radius: 2,
  ...changes,
})
/** In Montevideo, three hours behind UTC; 27 November 2026 is a Friday. */
const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour + 3, 30)
const nameAt = (rules: RuleFields[], moment: number, place = pickup) =>
  figuresAt(rules, place, moment, settings).rule?.name ?? null

describe('figuresAt', () => {
  it('no rule matches -> the settings', () => {
    expect(figuresAt([], pickup, at(27, 12), settings)).toEqual({ rule: null, figures: settings.dispatch })
  })

  it('several match -> the one with the lowest number', () => {
    const rules = [rule({ name: 'second', priority: 2 }), rule({ name: 'first', priority: 1 })]
    expect(nameAt(rules, at(27, 12))).toBe('first')
    expect(figuresAt(rules, pickup, at(27, 12), settings).figures.strategy).toBe('batch')
  })

  it('hours of the city -> from the first to before the last, also past midnight', () => {
    const rush = [rule({ from_hour: 17, to_hour: 20 })]
    expect([16, 17, 19, 20].map((hour) => nameAt(rush, at(27, hour)) !== null)).toEqual([
      false,
      true,
      true,
      false,
    ])
    const night = [rule({ from_hour: 22, to_hour: 4 })]
    expect([21, 22, 0, 3, 4].map((hour) => nameAt(night, at(27, hour)) !== null)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })

  it('days of the city -> only the named ones', () => {
    const days = [rule({ days: ['thu', 'sun'] })]
    expect([25, 26, 27, 28, 29, 30].map((day) => nameAt(days, at(day, 12)) !== null)).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ])
    // Sunday evening in Montevideo is Monday in UTC.
    expect(nameAt(days, at(29, 22))).not.toBeNull()
  })

  it('Friday and Saturday, 22 to 4 -> each night belongs to the day on which it began', () => {
    const nights = [rule({ days: ['fri', 'sat'], from_hour: 22, to_hour: 4 })]
    const holds: [number, number, boolean][] = [
      [27, 2, false],
      [27, 23, true],
      [28, 3, true],
      [28, 4, false],
      [28, 22, true],
      [29, 3, true],
      [29, 23, false],
    ]
    for (const [day, hour, isInside] of holds)
      expect(nameAt(nights, at(day, hour)) !== null, `${day} ${hour}`).toBe(isInside)
  })

  it('any days and hours -> holds exactly in the spans that begin on these days, counted in hours of the week', () => {
    const hours = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
    const moment = fc.record({
      day: fc.integer({ min: 0, max: 6 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
    })
    fc.assert(
      fc.property(
        fc.subarray<Weekday>([...weekdays], { minLength: 1 }),
        hours.filter(([from, to]) => from !== to),
        moment,
        fc.constantFrom('America/Montevideo', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'),
        (days, [from_hour, to_hour], { day, hour, minute }, timezone) => {
          // 8 June 2026 is a Monday, and no clock is changed in that week.
          const two = (number: number) => String(number).padStart(2, '0')
          const now = fromCityTime(`2026-06-${two(8 + day)}T${two(hour)}:${two(minute)}`, timezone)
          const length = (to_hour - from_hour + 24) % 24 || 24
          const isInside = days.some((first) => {
            const begin = weekdays.indexOf(first) * 24 + from_hour
            return (day * 24 + hour - begin + 168) % 168 < length
          })
          const found = figuresAt([rule({ days, from_hour, to_hour })], pickup, now, {
            ...settings,
            timezone,
          })
          expect(found.rule !== null).toBe(isInside)
        },
      ),
    )
  })

  it('area -> pickups within its radius, in the city’s unit', () => {
    const around = [rule({ area: { ...pickup, add: 'Plaza' }, area_radius: 2 })]
    const away = (km: number) => ({ lat: pickup.lat + km / 111.195, lng: pickup.lng })
    expect([0, 1.9, 2.1].map((km) => nameAt(around, at(27, 12), away(km)) !== null)).toEqual([
      true,
      true,
      false,
    ])
    const miles = { ...settings, convert_to_mile: true }
    expect(figuresAt(around, away(3.1), at(27, 12), miles).rule).not.toBeNull()
  })
})

test.each<[Partial<RuleFields>, string[]]>([
  [{}, []],
  [{ name: ' ' }, ['name required']],
  [{ name: 'x'.repeat(61) }, ['name too_long']],
  [{ priority: 0.5, from_hour: 24 }, ['priority wrong_type', 'from_hour out_of_range']],
  [{ from_hour: 8, to_hour: 8 }, ['to_hour same_hour']],
  [{ days: [] }, ['days required']],
  [{ days: ['fri', 'fri'] }, ['days not_in_list']],
  [{ days: ['someday' as 'fri'] }, ['days not_in_list']],
  [{ area_radius: Number.NaN }, ['area_radius out_of_range']],
  [{ waveSeconds: 4, strategy: 'guess' as 'batch' }, ['strategy not_in_list', 'waveSeconds out_of_range']],
])('ruleProblems: %o -> %o', (changes, problems) => {
  expect(ruleProblems(rule(changes)).map(({ field, error }) => `${field} ${error}`)).toEqual(problems)
})
