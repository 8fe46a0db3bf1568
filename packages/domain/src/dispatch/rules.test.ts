import { describe, expect, it, test } from 'vitest'
import { defaultSettings } from '../settings/settings.ts'
import { figuresAt, type RuleFields, ruleProblems } from './rules.ts'

const settings = { ...defaultSettings, timezone: 'America/Montevideo' }
const pickup = { lat: -34.9, lng: -56.17 }
const rule = (changes: Partial<RuleFields> = {}): RuleFields => ({
  ...defaultSettings.dispatch,
  strategy: 'batch',
  name: 'Evening rush',
  priority: 10,
  days: 'all',
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

  it('days of the city -> weekdays or weekend', () => {
    const days = [rule({ name: 'weekdays', days: 'weekdays' }), rule({ name: 'weekend', days: 'weekend' })]
    expect([26, 27, 28, 29, 30].map((day) => nameAt(days, at(day, 12)))).toEqual([
      'weekdays',
      'weekdays',
      'weekend',
      'weekend',
      'weekdays',
    ])
    // Friday evening in Montevideo is Saturday in UTC.
    expect(nameAt(days, at(27, 22))).toBe('weekdays')
  })

  it('night of some days -> belongs to the day on which it began', () => {
    const nights = [
      rule({ name: 'weekdays', days: 'weekdays', from_hour: 22, to_hour: 4 }),
      rule({ name: 'weekend', days: 'weekend', from_hour: 22, to_hour: 4 }),
    ]
    const moments: [number, number][] = [
      [27, 23],
      [28, 2],
      [28, 4],
      [28, 23],
      [29, 23],
      [30, 2],
      [30, 23],
    ]
    expect(moments.map(([day, hour]) => nameAt(nights, at(day, hour)))).toEqual([
      'weekdays',
      'weekdays',
      null,
      'weekend',
      'weekend',
      'weekend',
      'weekdays',
    ])
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
  [{ priority: 0.5, from_hour: 24 }, ['priority wrong_type', 'from_hour out_of_range', 'to_hour same_hour']],
  [{ from_hour: 8, to_hour: 8 }, ['to_hour same_hour']],
  [{ area_radius: Number.NaN }, ['area_radius out_of_range']],
  [{ waveSeconds: 4, strategy: 'guess' as 'batch' }, ['strategy not_in_list', 'waveSeconds out_of_range']],
])('ruleProblems: %o -> %o', (changes, problems) => {
  expect(ruleProblems(rule(changes)).map(({ field, error }) => `${field} ${error}`)).toEqual(problems)
})
