import type { DashboardView } from '@hansom/contract/reports'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { countedTrips } from '../../entities/bookings/bookings-search.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import { ToggleGroup } from '../../ui/toggle-group.tsx'
import classes from './dashboard.module.css'
import { type DayFigure, dayFigures, useDays } from './earning-cards.tsx'

const DaysChart = lazy(async () => ({ default: (await import('./days-chart.tsx')).DaysChart }))

/** The last thirty days as a bar chart and as a table. */
export function ThirtyDays({ days }: Pick<DashboardView, 'days'>) {
  const { t } = useText()
  const format = useFormat()
  const words = useDays()
  const [figure, setFigure] = useState<DayFigure>('earnings')
  return (
    <section className={panel.panel} aria-labelledby="days-title">
      <div className={panel.head}>
        <h2 id="days-title" className={panel.title}>
          {t('dashboard.thirty_days')}
        </h2>
        <ToggleGroup
          label={t('dashboard.figure')}
          options={dayFigures.map((one) => ({ value: one, label: t(`dashboard.figure_${one}`) }))}
          value={figure}
          onChange={setFigure}
        />
      </div>
      {days.some(({ trips }) => trips > 0) ? (
        <Suspense fallback={<Skeleton height="240px" />}>
          <DaysChart days={days} figure={figure} />
        </Suspense>
      ) : (
        <p className={classes.noDays}>{t('dashboard.no_days')}</p>
      )}
      <details className={classes.asTable}>
        <summary>{t('dashboard.as_table')}</summary>
        <div className={classes.tableBox}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('dashboard.day')}</th>
                <th scope="col">{t('dashboard.figure_trips')}</th>
                <th scope="col">{t('dashboard.figure_earnings')}</th>
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map(({ day, trips, convenienceFee }) => (
                <tr key={day}>
                  <th scope="row">
                    <Link to="/bookings" search={countedTrips({ from: day, to: day })}>
                      {words.day(day)}
                    </Link>
                  </th>
                  <td>{format.number(trips)}</td>
                  <td>
                    <Money amount={convenienceFee} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}
