import type { Language } from '@hansom/contract/languages'
import type { PublicSettings } from '@hansom/contract/settings'
import { toCityUnit } from '@hansom/domain/geo/distance-unit'
import { unit } from '@hansom/domain/money/amount'
import { dateStyle, fullDateTimeStyle } from '@hansom/domain/time/date-style'
import { type Weekday, weekdays } from '@hansom/domain/time/weekdays'
import { serverNow } from './clock.ts'
import { onDemand, useText } from './i18n.ts'
import { useSettings } from './settings.ts'

/** Number and date rules of a city and a language. */
export interface FormatRules {
  /** BCP 47 tag for numbers and units. */
  locale: string
  /** BCP 47 tag for dates and times. */
  dateLocale: string
  symbol: string
  decimal: number
  /** The symbol follows the number. */
  swipe_symbol: boolean
  convert_to_mile: boolean
  timezone: string
}

export interface Format {
  /** An amount (10^-4 of the currency unit) with symbol, rounded for display to `decimal` digits. */
  money: (amount: number) => string
  number: (value: number, digits?: number) => string
  /** An average of stars, always with one decimal: "5.0". */
  rating: (value: number) => string
  /** Distance in the city's unit, as "850 m" or "4.2 km" (in miles: "0.3 mi"). */
  distance: (km: number) => string
  /** Seconds as "3 min" or "1 h 20 min"; at least one minute. */
  duration: (seconds: number) => string
  /** Seconds rounded to minutes, at least 1. */
  minutes: (seconds: number) => number
  /** Time of day in the city, "14:05". */
  clock: (at: number) => string
  /** Day and time in the city, with the year unless it is the current one. */
  dateTime: (at: number) => string
  /** Time of day in the city; of another day, day and month in digits, with the year unless it is the current one. */
  clockOrDate: (at: number) => string
  /** Day, year and time in the city, for permanent records such as receipts. */
  fullDateTime: (at: number) => string
  date: (at: number) => string
  /** "3 min ago", "in 2 h"; `now` is epoch ms. */
  relative: (at: number, now: number) => string
  /** How long ago something happened; "now" for a time that another clock put into the future. */
  ago: (at: number, now: number) => string
  /** "Friday", or "Fri". */
  weekday: (day: Weekday, style?: 'long' | 'short') => string
  /** "A, B, C" with the separators of the language. */
  list: (items: readonly string[]) => string
}

/**
 * Isolates the direction of a value inside a sentence, as `bdi` does in markup. The value's first strong character sets
 * its direction: names and reasons may be in any script, while money and plates stay left to right.
 */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

/** Removes the direction marks, for page titles and screen readers. */
export function withoutIsolates(text: string): string {
  return text.replace(/[\u2066-\u2069]/g, '')
}

/** Creates the formatters for a set of rules. Pure. */
export function createFormat(rules: FormatRules): Format {
  const { locale, dateLocale } = rules
  const timeZone = rules.timezone
  const numbers = new Map<string, Intl.NumberFormat>()
  const numberOf = (options: Intl.NumberFormatOptions) => {
    const key = JSON.stringify(options)
    const known = numbers.get(key) ?? new Intl.NumberFormat(locale, { useGrouping: 'always', ...options })
    numbers.set(key, known)
    return known
  }
  const moneyNumber = onDemand(
    () =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: rules.decimal,
        maximumFractionDigits: rules.decimal,
        // Spanish leaves four digits together, which stand below grouped ones.
        useGrouping: 'always',
      }),
  )
  const ratingNumber = onDemand(
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  )
  // Arabic abbreviates minutes and hours to single letters, and Hindi does in print only.
  const spoken = /^(ar|hi)\b/.test(locale) ? 'long' : 'short'
  const gap = locale.startsWith('zh') ? '' : ' '
  const unitNumber = (unit: string, digits: number, unitDisplay: 'short' | 'long' = 'short') =>
    numberOf({ style: 'unit', unit, unitDisplay, maximumFractionDigits: digits })
  const clockTime = onDemand(
    () =>
      new Intl.DateTimeFormat(dateLocale, {
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZone,
      }),
  )
  const timeThisYear = onDemand(
    () => new Intl.DateTimeFormat(dateLocale, { ...fullDateTimeStyle, year: undefined, timeZone }),
  )
  const timeOfYear = onDemand(() => new Intl.DateTimeFormat(dateLocale, { ...fullDateTimeStyle, timeZone }))
  const year = onDemand(() => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }))
  const isThisYear = (at: number) => year().format(at) === year().format(serverNow())
  const dateTime = (at: number) => (isThisYear(at) ? timeThisYear() : timeOfYear()).format(at)
  const isToday = (at: number) => day().format(at) === day().format(serverNow())
  const day = onDemand(() => new Intl.DateTimeFormat(dateLocale, { ...dateStyle, timeZone }))
  const inDigits = { day: 'numeric', month: 'numeric', timeZone } as const
  const digitsThisYear = onDemand(() => new Intl.DateTimeFormat(dateLocale, inDigits))
  const digitsOfYear = onDemand(() => new Intl.DateTimeFormat(dateLocale, { ...inDigits, year: '2-digit' }))
  // Lists of the type `unit` have no separators in Chinese.
  const series = onDemand(() => new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }))
  const fromNow = onDemand(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
  const relative = (at: number, now: number) => {
    const seconds = (at - now) / 1000
    const size = Math.abs(seconds)
    if (size < 60) return fromNow().format(Math.round(seconds), 'second')
    if (size < 3600) return fromNow().format(Math.round(seconds / 60), 'minute')
    if (size < 86_400) return fromNow().format(Math.round(seconds / 3600), 'hour')
    return fromNow().format(Math.round(seconds / 86_400), 'day')
  }
  const wholeMinutes = (seconds: number) => Math.max(1, Math.round(seconds / 60))

  return {
    money(amount) {
      const value = amount / unit
      const digits = moneyNumber().format(Math.abs(value))
      const minus = amount < 0 && Number(Math.abs(value).toFixed(rules.decimal)) !== 0 ? '\u2212' : ''
      return rules.swipe_symbol
        ? `${minus}${digits}\u00a0${rules.symbol}`
        : `${minus}${rules.symbol}${digits}`
    },
    number: (value, digits = 0) => numberOf({ maximumFractionDigits: digits }).format(value),
    rating: (value) => ratingNumber().format(value),
    list: (items) => series().format(items),
    distance(km) {
      const inUnit = toCityUnit(km, rules.convert_to_mile)
      if (rules.convert_to_mile) return unitNumber('mile', 1).format(inUnit)
      if (km < 0.995) return unitNumber('meter', 0).format(Math.round(km * 100) * 10)
      return unitNumber('kilometer', km < 100 ? 1 : 0).format(inUnit)
    },
    duration(seconds) {
      const total = wholeMinutes(seconds)
      if (total < 60) return unitNumber('minute', 0, spoken).format(total)
      const hours = unitNumber('hour', 0, spoken).format(Math.floor(total / 60))
      const rest = total % 60
      return rest === 0 ? hours : `${hours}${gap}${unitNumber('minute', 0, spoken).format(rest)}`
    },
    minutes: wholeMinutes,
    clock: (at) => clockTime().format(at),
    clockOrDate(at) {
      if (isToday(at)) return clockTime().format(at)
      return (isThisYear(at) ? digitsThisYear() : digitsOfYear()).format(at)
    },
    dateTime,
    fullDateTime: (at) => timeOfYear().format(at),
    date: (at) => day().format(at),
    relative,
    ago: (at, now) => relative(Math.min(at, now), now),
    weekday: (day, style = 'long') =>
      // 5 January 2026 is a Monday.
      new Intl.DateTimeFormat(dateLocale, { weekday: style, timeZone: 'UTC' }).format(
        Date.UTC(2026, 0, 5 + weekdays.indexOf(day)),
      ),
  }
}

/** The format rules from the settings and a language. */
export function formatRules(settings: PublicSettings, language: Language): FormatRules {
  const { symbol, decimal, swipe_symbol, convert_to_mile, timezone } = settings
  const { langLocale, dateLocale } = language
  return {
    locale: langLocale,
    dateLocale: dateLocale || langLocale,
    symbol,
    decimal,
    swipe_symbol,
    convert_to_mile,
    timezone,
  }
}

const known = new WeakMap<PublicSettings, WeakMap<Language, Format>>()

/** Creating formatters costs more than using them: a page with a hundred amounts shares one set. */
function formatOf(settings: PublicSettings, language: Language): Format {
  const ofSettings = known.get(settings) ?? new WeakMap<Language, Format>()
  known.set(settings, ofSettings)
  const format = ofSettings.get(language) ?? createFormat(formatRules(settings, language))
  ofSettings.set(language, format)
  return format
}

/** Formatters for money, distances and times in the current language and the city's settings. */
export function useFormat(): Format {
  const settings = useSettings()
  const { language } = useText()
  return formatOf(settings, language)
}
