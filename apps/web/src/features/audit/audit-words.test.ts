import arAudit from '@hansom/domain/languages/packs/ar/audit.json'
import ar from '@hansom/domain/languages/packs/ar/dispatchRules.json'
import arSettings from '@hansom/domain/languages/packs/ar/settings.json'
import enAudit from '@hansom/domain/languages/packs/en/audit.json'
import en from '@hansom/domain/languages/packs/en/dispatchRules.json'
import enSettings from '@hansom/domain/languages/packs/en/settings.json'
import zhAudit from '@hansom/domain/languages/packs/zh-CN/audit.json'
import zh from '@hansom/domain/languages/packs/zh-CN/dispatchRules.json'
import zhSettings from '@hansom/domain/languages/packs/zh-CN/settings.json'
import { describe, expect, it } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { auditWriter } from './audit-words.ts'

const texts: Record<string, Record<'dispatchRules' | 'audit' | 'settings', Record<string, string>>> = {
  en: { dispatchRules: en, audit: enAudit, settings: enSettings },
  ar: { dispatchRules: ar, audit: arAudit, settings: arSettings },
  'zh-CN': { dispatchRules: zh, audit: zhAudit, settings: zhSettings },
}

/** What writes the audit log of a city that measures in kilometers or miles. */
function writerIn(locale: string, inMiles = false) {
  const format = createFormat({
    locale,
    dateLocale: locale,
    symbol: '$',
    decimal: 2,
    swipe_symbol: false,
    convert_to_mile: false,
    timezone: 'UTC',
  })
  const t = (key: string) => {
    const [group = '', name = ''] = key.split('.')
    return texts[locale]?.[group as 'audit']?.[name] ?? key
  }
  return auditWriter(t, format, inMiles)
}

/** The words for the days of a rule, given as stored. */
function daysIn(locale: string) {
  const { value } = writerIn(locale)
  return (days: unknown) => value('days', days, {})
}

it.each(['en', 'ar', 'es'])('%s: place -> its address and coordinates, in their own direction', (locale) => {
  const { value } = writerIn(locale)
  const expected = '\u2068Centro\u2069 \u2068(-34.9000, -56.1700)\u2069'
  expect(value('area', { lat: -34.9, lng: -56.17, add: 'Centro' }, {})).toBe(expected)
  expect(value('area', { lat: -34.9, lng: -56.17 }, {})).toBe(expected.slice(expected.indexOf(' ') + 1))
})

it('numbers of settings and rules -> their unit behind the field; money, times of the day, other records -> none', () => {
  const { field } = writerIn('en')
  expect(field('settings', 'dispatch.firstRadius')).toBe('First search radius (km)')
  expect(writerIn('en', true).field('settings', 'driverRadius')).toBe('Driver search radius (miles)')
  expect(writerIn('ar').field('dispatch_rule', 'waveSeconds')).toBe(
    `${arSettings.field_dispatch_waveSeconds} (${arSettings.unit_seconds})`,
  )
  expect(field('dispatch_rule', 'area_radius')).toBe(`${en.area_radius} (km)`)
  expect(field('settings', 'bonus')).toBe(enSettings.field_bonus)
  expect(field('dispatch_rule', 'from_hour')).toBe(en.from_hour)
  expect(field('user', 'driverRadius')).toBe('Driver radius')
})

describe('days of a rule', () => {
  const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

  it.each([
    ['en', 'Monday to Friday', 'Saturday and Sunday', 'Every day'],
    ['ar', 'من الاثنين إلى الجمعة', 'السبت والأحد', 'كل يوم'],
    ['zh-CN', '周一至周五', '周六和周日', '每天'],
  ])('%s: a working week, a weekend, every day -> their usual name', (locale, working, weekend, every) => {
    const days = daysIn(locale)
    expect([days(week.slice(0, 5)), days(week.slice(5)), days(week)]).toEqual([working, weekend, every])
  })

  it.each([
    ['en', 'Friday', 'Tuesday, Friday, Sunday'],
    ['ar', 'الجمعة', 'الثلاثاء والجمعة والأحد'],
    ['zh-CN', '星期五', '星期二、星期五、星期日'],
  ])('%s: one day, days in any order -> each, in the order of the week', (locale, friday, three) => {
    const days = daysIn(locale)
    expect([days(['fri']), days(['sun', 'fri', 'tue'])]).toEqual([friday, three])
  })

  it('stored before rules had a set of days, no day, no known day -> its name, nothing, as it is', () => {
    const days = daysIn('en')
    expect([days('weekdays'), days([]), days(['someday'])]).toEqual([
      'Monday to Friday',
      enAudit.empty_value,
      'someday',
    ])
  })
})
