import type { DashboardView } from '@hansom/contract/reports'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { tripsWith } from '../../entities/bookings/bookings-search.ts'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './dashboard.module.css'
import { EarningCards } from './earning-cards.tsx'
import { FailedWorkAlert } from './failed-work.tsx'
import { FleetPanel } from './fleet-panel.tsx'
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
      {data ? <EarningCards earnings={data.earnings} today={data.today} timezone={data.timezone} /> : null}
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

/** Setup steps before the first trip; empty once there are car types and drivers. */
function NextSteps() {
  const { t } = useText()
  const { contact_email } = useSettings()
  const carTypes = useQuery(orpc.carTypes.list.queryOptions())
  const drivers = useQuery(orpc.users.list.queryOptions({ input: { usertype: 'driver', limit: 1 } }))
  if (!carTypes.data || !drivers.data) return null
  const hasCarTypes = carTypes.data.length > 0
  const hasDrivers = drivers.data.items.length > 0
  if (hasCarTypes && hasDrivers) return null
  const steps = [
    { id: 'car_types', to: '/cartypes', done: hasCarTypes },
    { id: 'settings', to: '/appinfo', done: contact_email !== '' },
    { id: 'drivers', to: '/drivers', done: hasDrivers },
    { id: 'booking', to: '/addbookings', done: false },
  ] as const
  const next = steps.find(({ done }) => !done)?.id
  return (
    <section className={classes.steps} aria-labelledby="steps-title">
      <h2 id="steps-title" className={classes.title}>
        {t('dashboard.welcome')}
      </h2>
      <p className={classes.text}>{t('dashboard.welcome_text')}</p>
      <ol className={classes.list}>
        {steps.map(({ id, to, done }, index) => (
          <li key={id}>
            <Link to={to} className={classes.step} data-next={id === next || undefined}>
              <span className={classes.mark} data-done={done || undefined} aria-hidden>
                {done ? <IconCheck size={18} /> : index + 1}
              </span>
              <span className={classes.words}>
                <strong>{t(`dashboard.step_${id}`)}</strong>
                <span>{t(`dashboard.step_${id}_text`)}</span>
              </span>
              {done ? <VisuallyHidden>{t('common.done')}</VisuallyHidden> : null}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

const objectionsFreshEveryMs = 30_000

/** Notice about cash payments that wait for an admin's decision; empty if there are none. */
export function OpenObjections() {
  const { t } = useText()
  const open = useQuery({
    ...orpc.bookings.count.queryOptions({ input: { objection: 'open' } }),
    refetchInterval: objectionsFreshEveryMs,
  })
  const count = open.data?.count ?? 0
  if (count === 0) return null
  return (
    <Notice tone="attention">
      <div className={classes.line}>
        <span>{t('dashboard.objections', { count })}</span>
        <Link to="/disputes" className={buttonClass({ size: 'small' })}>
          {t('dashboard.objections_open')}
        </Link>
      </div>
    </Notice>
  )
}
