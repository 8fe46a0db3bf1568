import type { DashboardView } from '@hansom/contract/reports'
import { Link } from '@tanstack/react-router'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { tripsWith } from '../../entities/bookings/bookings-search.ts'
import panel from '../../ui/panel.module.css'
import classes from './dashboard.module.css'

/** How many trips stand where; each line leads to them. */
export function StatusList({ statuses }: Pick<DashboardView, 'statuses'>) {
  const { t } = useText()
  const format = useFormat()
  const most = Math.max(1, ...statuses.map(({ count }) => count))
  return (
    <section className={panel.panel} aria-labelledby="statuses-title">
      <h2 id="statuses-title" className={panel.title}>
        {t('dashboard.statuses')}
      </h2>
      <ul className={classes.statuses}>
        {statuses.map(({ status, count }) => (
          <li key={status}>
            <Link to="/bookings" search={tripsWith(status)} className={classes.status}>
              <span>{t(`history.status_${status}`)}</span>
              <span className={classes.count}>{format.number(count)}</span>
              <span className={classes.track} aria-hidden>
                <span
                  className={classes.bar}
                  data-status={status}
                  style={{ inlineSize: count === 0 ? 0 : `max(3px, ${(count / most) * 100}%)` }}
                />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
