import type { EarningFigures } from '@hansom/contract/reports'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { Skeleton } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import type { ChartSeries, MonthFigures } from './months-chart.tsx'
import classes from './reports.module.css'

const MonthsChart = lazy(async () => ({ default: (await import('./months-chart.tsx')).MonthsChart }))
const DaysChart = lazy(async () => ({ default: (await import('./months-chart.tsx')).DaysChart }))

/** Fewer months than this are shown by day, if the days cover all of them: one or two bars say nothing. */
const fewMonths = 3

interface Props {
  months: readonly MonthFigures[] | undefined
  series: readonly ChartSeries[]
  /** Text key of its label. */
  label: string
  /** A filter applies to the months. The days have no filters, so they are not shown. */
  isNarrowed: boolean
  /** The values of a day, shown until there are several months. */
  ofDay: (figures: EarningFigures) => Readonly<Record<string, number>>
}

/** Chart of a report's months; empty without data. */
export function ChartPanel({ months, series, label, isNarrowed, ofDay }: Props) {
  const { t } = useText()
  const isFew = !isNarrowed && months !== undefined && months.length > 0 && months.length < fewMonths
  const daily = useQuery({ ...orpc.reports.dashboard.queryOptions(), enabled: isFew })
  const days =
    isFew && coversMonths(daily.data?.days, months)
      ? daily.data?.days.map((day) => ({ day: day.day, values: ofDay(day) }))
      : undefined
  if (months?.length === 0) return null
  return (
    <section className={panel.panel} aria-labelledby="months-title">
      <div className={panel.head}>
        <h2 id="months-title" className={panel.title}>
          {t(days ? 'reports.by_day' : 'reports.months')}
        </h2>
        {series.length > 1 ? (
          <ul className={classes.legend}>
            {series.map(({ name, label: key, color }) => (
              <li key={name}>
                <span className={classes.swatch} style={{ background: color }} aria-hidden />
                {t(key)}
              </li>
            ))}
          </ul>
        ) : null}
        <p className={panel.quiet}>{t('reports.paid_trips')}</p>
      </div>
      {months === undefined || (isFew && daily.isPending) ? (
        <Skeleton height="208px" />
      ) : (
        <Suspense fallback={<Skeleton height="208px" />}>
          {days ? <DaysChart days={days} series={series} label={t(label)} /> : null}
          {days ? null : <MonthsChart months={months} series={series} label={t(label)} />}
        </Suspense>
      )}
    </section>
  )
}

/** Whether no day of the months is before the days, of which the first is the oldest. */
function coversMonths(
  days: readonly { day: string }[] | undefined,
  months: readonly Pick<MonthFigures, 'year' | 'month'>[],
): boolean {
  const oldest = days?.[0]?.day
  return (
    oldest !== undefined &&
    months.every(({ year, month }) => oldest <= `${year}-${String(month).padStart(2, '0')}-01`)
  )
}
