import type { DashboardView, EarningFigures } from '@hansom/contract/reports'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { countedTrips } from '../../entities/bookings/bookings-search.ts'
import { useText } from '../../lib/i18n.ts'
import type { SearchParams } from '../../lib/search-params.ts'
import { Money } from '../../ui/money.tsx'
import panel from '../../ui/panel.module.css'
import classes from './dashboard.module.css'

/** Earnings of today, this month and all time; each links to its bookings. */
export function EarningCards({ earnings, today }: Pick<DashboardView, 'earnings' | 'today'>) {
  const { t } = useText()
  const days = useDays()
  return (
    <section className={classes.cards} aria-label={t('dashboard.earnings')}>
      <Card
        title={t('dashboard.earning_today')}
        period={days.day(today)}
        figures={earnings.today}
        trips={countedTrips({ from: today, to: today })}
      />
      <Card
        title={t('dashboard.earning_month')}
        period={days.month(today)}
        figures={earnings.month}
        trips={countedTrips({ from: monthStart(today), to: today })}
      />
      <Card
        title={t('dashboard.earning_total')}
        period={t('dashboard.all_time')}
        figures={earnings.total}
        trips={countedTrips()}
      />
    </section>
  )
}

interface Props {
  title: string
  period: string
  figures: EarningFigures
  trips: SearchParams
}

function Card({ title, period, figures, trips }: Props) {
  const { t } = useText()
  return (
    <Link to="/bookings" search={trips} className={classes.card}>
      <span className={classes.cardTitle}>
        {title}
        <IconArrowRight size={18} stroke={1.7} aria-hidden className={classes.arrow} />
      </span>
      <span className={classes.figure}>
        <Money amount={figures.convenienceFee} />
      </span>
      <span className={panel.quiet}>
        <bdi>{period}</bdi> · {t('dashboard.trips', { count: figures.trips })}
      </span>
    </Link>
  )
}

/** The first day of a day's month. */
function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`
}

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
