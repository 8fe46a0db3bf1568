import { lazy, Suspense } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Skeleton } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import type { ChartSeries, MonthFigures } from './months-chart.tsx'
import classes from './reports.module.css'

const MonthsChart = lazy(async () => ({ default: (await import('./months-chart.tsx')).MonthsChart }))

interface Props {
  months: readonly MonthFigures[] | undefined
  series: readonly ChartSeries[]
  /** Text key of its label. */
  label: string
}

/** Chart of a report's months; empty without data. */
export function ChartPanel({ months, series, label }: Props) {
  const { t } = useText()
  if (months?.length === 0) return null
  return (
    <section className={panel.panel} aria-labelledby="months-title">
      <div className={panel.head}>
        <h2 id="months-title" className={panel.title}>
          {t('reports.months')}
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
      {months === undefined ? (
        <Skeleton height="208px" />
      ) : (
        <Suspense fallback={<Skeleton height="208px" />}>
          <MonthsChart months={months} series={series} label={t(label)} />
        </Suspense>
      )}
    </section>
  )
}
