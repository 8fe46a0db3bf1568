import type { DashboardView, EarningFigures } from '@hansom/contract/reports'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { countedTrips } from '../../entities/bookings/bookings-search.ts'
import { useText } from '../../lib/i18n.ts'
import type { SearchParams } from '../../lib/search-params.ts'
import { Money } from '../../ui/money.tsx'
import panel from '../../ui/panel.module.css'
import classes from './dashboard.module.css'
import { useDays } from './use-days.ts'

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
