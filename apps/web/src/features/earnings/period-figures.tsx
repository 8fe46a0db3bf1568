import type { EarningPeriodView } from '@hansom/contract/earnings'
import { lazy, Suspense } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/page-states.tsx'
import classes from './earnings.module.css'
import { usePeriodWords } from './earnings-period.ts'

const EarningsChart = lazy(async () => ({ default: (await import('./earnings-chart.tsx')).EarningsChart }))

/** Earnings of a period: the total, a bar chart, and the chart as a table. */
export function PeriodFigures({ period }: { period: EarningPeriodView }) {
  const { t } = useText()
  const format = useFormat()
  const words = usePeriodWords()
  const { by, total, parts } = period
  const brought = parts.filter(({ trips, earned }) => trips > 0 || earned !== 0)
  return (
    <section className={classes.figures} aria-labelledby="earned">
      <div>
        <h2 id="earned" className={classes.label}>
          {t('earnings.earned')}
        </h2>
        <p className={classes.figure}>
          <Money amount={total.earned} />
        </p>
        <p className={classes.quiet}>{t('earnings.trips', { count: total.trips })}</p>
      </div>
      {brought.length > 0 ? (
        <>
          <Suspense fallback={<Skeleton height="200px" />}>
            <EarningsChart by={by} parts={parts} />
          </Suspense>
          <details className={classes.asTable}>
            <summary>{t('earnings.as_table')}</summary>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t(by === 'day' ? 'earnings.hour' : 'earnings.day_column')}</th>
                  <th scope="col">{t('earnings.trips_column')}</th>
                  <th scope="col">{t('earnings.earned')}</th>
                </tr>
              </thead>
              <tbody>
                {brought.map(({ start, trips, earned }) => (
                  <tr key={start}>
                    <th scope="row">
                      <bdi>{words.part(by, start)}</bdi>
                    </th>
                    <td>{format.number(trips)}</td>
                    <td>
                      <Money amount={earned} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      ) : null}
    </section>
  )
}
