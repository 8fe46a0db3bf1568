import type { Days, EarningStep } from '@hansom/domain/earnings/period'
import { useMemo } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'

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
