import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './dashboard.module.css'
import { EarningCards } from './earning-cards.tsx'
import { FailedWorkAlert } from './failed-work.tsx'
import { OpenObjections } from './open-objections.tsx'
import { FleetPanel } from './fleet-panel.tsx'
import { NextSteps } from './next-steps.tsx'
import { StatusList } from './status-list.tsx'
import { ThirtyDays } from './thirty-days.tsx'

const freshEveryMs = 20_000

/** How the service stands: earnings, who is out where, trips by status, the last thirty days. */
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
