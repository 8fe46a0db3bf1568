import { useMemo } from 'react'
import { useText } from '../../lib/i18n.ts'

export interface MonthWords {
  /** "November" */
  month: (year: number, month: number) => string
  /** "November 2026" */
  full: (year: number, month: number) => string
  /** "Nov 2026" */
  medium: (year: number, month: number) => string
  /** "Nov 26" */
  short: (year: number, month: number) => string
  /** "2026" in the user's language. */
  year: (year: number) => string
}

/** Formatters for months and years in the user's language. */
export function useMonths(): MonthWords {
  const { language } = useText()
  const locale = language.dateLocale || language.langLocale
  return useMemo(() => {
    const writer = (options: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
      return (year: number, month: number) => format.format(Date.UTC(year, month - 1, 15))
    }
    const year = writer({ year: 'numeric' })
    return {
      month: writer({ month: 'long' }),
      full: writer({ month: 'long', year: 'numeric' }),
      medium: writer({ month: 'short', year: 'numeric' }),
      short: writer({ month: 'short', year: '2-digit' }),
      year: (one) => year(one, 6),
    }
  }, [locale])
}

export type MonthNames = Pick<MonthWords, 'full' | 'year'>

/** Month and year, abbreviated on a phone. */
export function useMonthNames(short: boolean): MonthNames {
  const { full, medium, year } = useMonths()
  return useMemo(() => ({ full: short ? medium : full, year }), [full, medium, year, short])
}
