import type { DashboardView } from '@hansom/contract/reports'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { tripsWith } from '../../entities/bookings/bookings-search.ts'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import classes from './dashboard.module.css'
import { EarningCards } from './earning-cards.tsx'
import { FailedWorkAlert } from './failed-work.tsx'
import { FleetPanel } from './fleet-panel.tsx'
import { NextSteps } from './next-steps.tsx'
import { OpenObjections } from './open-objections.tsx'
import { ThirtyDays } from './thirty-days.tsx'

const freshEveryMs = 20_000

/** Overview of the service: earnings, drivers online, trips by status, the last thirty days. */
export function DashboardScreen() {
  const { t } = useText()
  const admin = useMe()?.usertype === 'admin'
  const figures = useQuery({
    ...orpc.reports.dashboard.queryOptions(),
    refetchInterval: freshEveryMs,
    staleTime: freshEveryMs / 2,
  })
  const { data } = figures
  const { timezone } = useSettings()
  return (
    <div className={pageFrame}>
      <PageHead
        title={t('menu.dashboard')}
        lead={
          <>
            {t('dashboard.zone')} <bdi dir="ltr">{timezone.replaceAll('_', ' ')}</bdi>
          </>
        }
      />
      {admin ? <FailedWorkAlert /> : null}
      {admin ? <OpenObjections /> : null}
      {admin ? <NextSteps /> : null}
      {data ? <EarningCards earnings={data.earnings} today={data.today} /> : null}
      {figures.isPending ? <LoadingState rows={1} height="128px" /> : null}
      {figures.isError && !data ? (
        <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
      ) : null}
      <FleetPanel />
      {data ? (
        <div className={classes.pair}>
          <ThirtyDays days={data.days} />
          <StatusList statuses={data.statuses} />
        </div>
      ) : null}
    </div>
  )
}

/** Number of trips by status; each line links to them. */
function StatusList({ statuses }: Pick<DashboardView, 'statuses'>) {
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
