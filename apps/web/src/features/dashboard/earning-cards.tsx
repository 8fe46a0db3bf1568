import type { DashboardView, EarningFigures } from '@hansom/contract/reports'
import { countedRefunds } from '@hansom/domain/wallet/refund'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { cancelledTrips, countedTrips, type Days } from '../../entities/bookings/bookings-search.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import type { SearchParams } from '../../lib/search-params.ts'
import { Money } from '../../ui/money.tsx'
import panel from '../../ui/panel.module.css'
import classes from './dashboard.module.css'

/** Earnings of today, this month and all time; the figures link to the bookings and refunds that they count. */
export function EarningCards({
  earnings,
  today,
  timezone,
}: Pick<DashboardView, 'earnings' | 'today' | 'timezone'>) {
  const { t } = useText()
  const days = useDays()
  const zone = timezone.replace(/^.*\//, '').replaceAll('_', ' ')
  return (
    <section className={classes.cards} aria-label={t('dashboard.earnings')}>
      <Card
        title={t('dashboard.earning_today')}
        period={`${days.day(today)} · ${zone}`}
        figures={earnings.today}
        days={{ from: today, to: today }}
      />
      <Card
        title={t('dashboard.earning_month')}
        period={`${days.month(today)} · ${zone}`}
        figures={earnings.month}
        days={{ from: monthStart(today), to: today }}
      />
      <Card
        title={t('dashboard.earning_total')}
        period={`${t('dashboard.all_time')} · ${zone}`}
        figures={earnings.total}
      />
    </section>
  )
}

interface Props {
  title: string
  period: string
  figures: EarningFigures
  /** Null for all time. */
  days?: Days
}

function Card({ title, period, figures, days }: Props) {
  const { t } = useText()
  const format = useFormat()
  const trips = countedTrips(days)
  const costs = costsOf(figures, days)
  return (
    <div className={classes.card}>
      <Link to="/bookings" search={trips} className={classes.cardLink}>
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
      <ul className={classes.lines}>
        <li>
          <Link to="/bookings" search={trips}>
            {t('dashboard.trip_revenue')} <Money amount={figures.tripCost} />
          </Link>
        </li>
        <li>
          <Link to="/bookings" search={trips}>
            {t('dashboard.drivers_share')} <Money amount={figures.driverShare} />
          </Link>
        </li>
        {costs?.map(({ name, amount, to, search }) => (
          <li key={name}>
            <Link to={to} search={search}>
              {t(`dashboard.${name}`)} <Money amount={0 - amount} />
            </Link>
          </li>
        ))}
        {figures.net === null ? null : (
          <li>
            <Link to="/earningreports">
              {t('dashboard.net')} <Money amount={figures.net} />
            </Link>
          </li>
        )}
        <li>
          <Link to="/bookings" search={cancelledTrips(days)}>
            {t('dashboard.cancelled')}{' '}
            <span>
              {format.number(figures.cancelled)} · <Money amount={figures.cancellationFees} />
            </span>
          </Link>
        </li>
      </ul>
    </div>
  )
}

/**
 * What the net is less than the booking fees, in the order of the earnings reports; null for a fleet admin. Rare ones are
 * left out while they are 0.
 */
function costsOf(figures: EarningFigures, days: Days | undefined) {
  const { discountAmount, writeOffs, platformRefunds, disputeFees } = figures
  if (discountAmount === null || writeOffs === null || platformRefunds === null || disputeFees === null)
    return null
  const trips = { to: '/bookings', search: countedTrips(days) } as const
  const refunds = { to: '/disputes', search: refundsOf(days) } as const
  return [
    { name: 'discounts', amount: discountAmount, ...trips },
    ...(writeOffs === 0
      ? []
      : [{ name: 'write_offs', amount: writeOffs, to: '/earningreports', search: {} } as const]),
    { name: 'refunds', amount: platformRefunds, ...refunds },
    ...(disputeFees === 0 ? [] : [{ name: 'dispute_fees', amount: disputeFees, ...refunds } as const]),
  ] as const
}

/** The search of /disputes that lists the refunds in the figure. */
function refundsOf(days: Days | undefined): SearchParams {
  return {
    bearer: 'platform',
    state: countedRefunds.states.join(','),
    ...(days && { at: `${days.from}..${days.to}` }),
  }
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
