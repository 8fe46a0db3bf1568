import { type Days, type EarningStep, earningSteps, periodAround } from '@hansom/domain/earnings/period'
import { cityDay } from '@hansom/domain/time/city-time'
import { useMemo } from 'react'
import { useServerNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useSettings } from '../../lib/settings.ts'

export interface EarningsAddress extends Days {
  by: EarningStep
  /** It contains today. */
  isCurrent: boolean
}

/** Earlier days are rejected. */
const firstDay = '1970-01-02'

/** Reads the period from search parameters: `by` and any day of it. Missing, invalid or future days mean today. */
export function readEarningsAddress(
  address: Readonly<Record<string, unknown>>,
  today: string,
): EarningsAddress {
  const by = earningSteps.find((step) => step === address.by) ?? 'day'
  const day = typeof address.day === 'string' && isDay(address.day) ? address.day : today
  const current = periodAround(by, today)
  const days = day >= firstDay && day <= today ? periodAround(by, day) : current
  return { by, ...days, isCurrent: days.from === current.from }
}

/** The shortest search parameters of a period. */
export function earningsSearch(
  { by, from }: Pick<EarningsAddress, 'by' | 'from'>,
  today: string,
): { by: EarningStep | undefined; day: string | undefined } {
  const isCurrent = periodAround(by, today).from === periodAround(by, from).from
  return { by: by === 'day' ? undefined : by, day: isCurrent ? undefined : from }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}

type Shown = Pick<EarningsAddress, 'by' | 'from'>

/** The period in the URL, today's date in the city, and a function that shows another period. */
export function useEarningsAddress(): EarningsAddress & { today: string; show: (next: Shown) => void } {
  const [params, changeParams] = useSearchParams()
  const { timezone } = useSettings()
  const today = cityDay(useServerNow(30_000), timezone)
  const show = (next: Shown) => changeParams(() => earningsSearch(next, today))
  return { ...readEarningsAddress(params, today), today, show }
}

export interface PeriodWords {
  /** "Saturday, 21 November 2026", "16 – 22 Nov 2026", "November 2026" */
  title: (by: EarningStep, days: Days) => string
  /** A part of a period below its bar: "14:00", "Mon", "16". */
  mark: (by: EarningStep, start: number) => string
  /** The part in full: "14:00", "Mon, 16 Nov". */
  part: (by: EarningStep, start: number) => string
}

/** Formatters for periods and their parts in the user's language and the city's time zone. */
export function usePeriodWords(): PeriodWords {
  const { language } = useText()
  const { timezone } = useSettings()
  const locale = language.dateLocale || language.langLocale
  return useMemo(() => {
    const writer = (options: Intl.DateTimeFormatOptions, timeZone: string) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone })
    const month = writer({ month: 'long', year: 'numeric' }, 'UTC')
    const week = writer({ day: 'numeric', month: 'short', year: 'numeric' }, 'UTC')
    const day = writer({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, 'UTC')
    const hour = writer({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, timezone)
    const ofMonth = writer({ day: 'numeric' }, timezone)
    const ofWeek = writer({ weekday: 'short' }, timezone)
    const full = writer({ weekday: 'short', day: 'numeric', month: 'short' }, timezone)
    const at = (text: string) => Date.parse(`${text}T00:00:00Z`)
    return {
      title: (by, { from, to }) => {
        if (by === 'day') return day.format(at(from))
        return by === 'month' ? month.format(at(from)) : week.formatRange(at(from), at(to))
      },
      mark: (by, start) => ({ day: hour, week: ofWeek, month: ofMonth })[by].format(start),
      part: (by, start) => (by === 'day' ? hour : full).format(start),
    }
  }, [locale, timezone])
}
