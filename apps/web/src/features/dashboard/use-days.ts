import { useMemo } from 'react'
import { useText } from '../../lib/i18n.ts'

export interface DayWords {
  /** "Sat, 21 Nov" */
  day: (day: string) => string
  /** "21 Nov" */
  short: (day: string) => string
  /** "November 2026" */
  month: (day: string) => string
}

/** Formatters for calendar days of the city, such as `2026-11-21`. */
export function useDays(): DayWords {
  const { language } = useText()
  const locale = language.dateLocale || language.langLocale
  return useMemo(() => {
    const writer = (options: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
      return (day: string) => format.format(Date.parse(`${day}T00:00:00Z`))
    }
    return {
      day: writer({ weekday: 'short', day: 'numeric', month: 'short' }),
      short: writer({ day: 'numeric', month: 'short' }),
      month: writer({ month: 'long', year: 'numeric' }),
    }
  }, [locale])
}

/** Figures that the chart of the last thirty days can show. */
export const dayFigures = ['earnings', 'trips'] as const
export type DayFigure = (typeof dayFigures)[number]
