import type { OperationFiguresView, OperationsView } from '@hansom/contract/reports'
import { maxOperationDays, outcomes, ratesOf } from '@hansom/domain/reports/operations'
import { cityDay, daysUpTo } from '@hansom/domain/time/city-time'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { reasonText } from '../../entities/bookings/reason-text.ts'
import { orpc } from '../../lib/api.ts'
import { serverNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { type SearchParams, useSearchParams } from '../../lib/search-params.ts'
import { useSettings } from '../../lib/settings.ts'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState, Skeleton } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleGroup } from '../../ui/toggle-group.tsx'
import { dimensions, useOperationGroups } from './operation-groups.ts'
import classes from './operations.module.css'
import { useRateFormat } from './use-rate-format.ts'

const GroupsChart = lazy(async () => ({ default: (await import('./operations-chart.tsx')).GroupsChart }))

const periods = ['1', '7', '30', 'custom'] as const
type Period = (typeof periods)[number]

/** The definitions below the figures. */
const rules = [
  'bookings',
  'completion',
  'acceptance',
  'accept',
  'pickup',
  'no_driver',
  'area',
  'fleet',
] as const

/** The operator's figures of a period: rates and times, by hour, day, area or car type. Every number lists its bookings. */
export function OperationsScreen() {
  const { t } = useText()
  const { timezone } = useSettings()
  const [params, change] = useSearchParams()
  const today = cityDay(serverNow(), timezone)
  const { period, from, to } = readPeriod(params, today)
  const report = useQuery({
    ...orpc.reports.operations.queryOptions({ input: { from, to } }),
    placeholderData: (before) => before,
  })
  const day = (name: 'from' | 'to') => (
    <TextField
      label={t(`reports.op_${name}`)}
      type="date"
      dir="ltr"
      value={name === 'from' ? from : to}
      onChange={({ target }) =>
        target.value && change(() => ({ ...clampDays({ from, to }, name, target.value), period: 'custom' }))
      }
    />
  )
  return (
    <div className={pageFrame}>
      <PageHead
        title={t('menu.operations')}
        lead={
          <>
            {t('dashboard.zone')} <bdi dir="ltr">{timezone.replaceAll('_', ' ')}</bdi>
          </>
        }
      />
      <div className={classes.tools}>
        <ToggleGroup
          label={t('reports.op_period')}
          options={periods.map((one) => ({ value: one, label: t(`reports.op_period_${one}`) }))}
          value={period}
          onChange={(one) =>
            change(() => ({
              period: one === '7' ? undefined : one,
              from: one === 'custom' ? from : undefined,
              to: one === 'custom' ? to : undefined,
            }))
          }
        />
        {period === 'custom' ? (
          <>
            {day('from')}
            {day('to')}
          </>
        ) : null}
      </div>
      {report.isError ? (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} />
      ) : !report.data ? (
        <LoadingState rows={6} height="64px" />
      ) : report.data.total.bookings === 0 ? (
        <EmptyState title={t('reports.empty_title')}>{t('reports.op_empty')}</EmptyState>
      ) : (
        <>
          <Cards view={report.data} />
          <Groups view={report.data} />
          <Reasons view={report.data} />
        </>
      )}
      <details className={classes.rules}>
        <summary>{t('reports.op_rules')}</summary>
        <ul>
          {rules.map((rule) => (
            <li key={rule}>{t(`reports.op_rule_${rule}`)}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function readPeriod(params: SearchParams, today: string): { period: Period; from: string; to: string } {
  const period = periods.find((one) => one === params.period) ?? '7'
  const isDay = (text: string | undefined) =>
    /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
  const { from = '', to = '' } = params
  if (period === 'custom' && isDay(from) && isDay(to) && from <= to && from >= firstDay(to))
    return { period, from, to }
  const days = period === 'custom' ? 7 : Number(period)
  return { period, from: daysUpTo(today, days)[0] ?? today, to: today }
}

const firstDay = (to: string) => daysUpTo(to, maxOperationDays)[0] ?? to

/** Moves the other end of the period where the chosen day would make it reversed or too long. */
function clampDays(days: { from: string; to: string }, end: 'from' | 'to', value: string) {
  const next = { ...days, [end]: value }
  if (end === 'to') {
    const first = firstDay(next.to)
    return { ...next, from: next.from > next.to ? next.to : next.from < first ? first : next.from }
  }
  if (next.to < next.from) return { ...next, to: next.from }
  return next.from < firstDay(next.to) ? { ...next, to: daysFrom(next.from) } : next
}

const daysFrom = (from: string) =>
  new Date(Date.parse(from) + (maxOperationDays - 1) * 86_400_000).toISOString().slice(0, 10)

/** The search of /bookings that lists the counted bookings of a period. */
const endedTrips = ({ from, to }: Pick<OperationsView, 'from' | 'to'>): SearchParams => ({
  tripdate: `${from}..${to}`,
  outcome: outcomes.join(','),
})

type FigureName = 'bookings' | 'completion' | 'acceptance' | 'accept' | 'pickup' | 'cancelled' | 'no_driver'

function Cards({ view }: { view: OperationsView }) {
  const { t } = useText()
  const { percent, seconds, number } = useRateFormat()
  const { total } = view
  const rates = ratesOf(total)
  const all = endedTrips(view)
  const cards: [key: FigureName, figure: string, note: string, search: SearchParams][] = [
    ['bookings', number(total.bookings), '', all],
    [
      'completion',
      percent(rates.completed),
      number(total.outcomes.completed),
      { ...all, outcome: 'completed' },
    ],
    [
      'acceptance',
      percent(rates.acceptedBookings),
      t('reports.op_of_requests', { share: percent(rates.acceptedOffers), count: total.offers }),
      { ...all, offered: 'true', accepted: 'true' },
    ],
    [
      'accept',
      seconds(total.acceptS?.median),
      t('reports.op_p90', { time: seconds(total.acceptS?.p90) }),
      { ...all, bookLater: 'false', accepted: 'true' },
    ],
    [
      'pickup',
      seconds(total.pickupS?.median),
      t('reports.op_p90', { time: seconds(total.pickupS?.p90) }),
      { ...all, bookLater: 'false', accepted: 'true' },
    ],
    [
      'cancelled',
      percent(rates.cancelled),
      number(total.bookings - total.outcomes.completed - total.outcomes.no_driver),
      { ...all, outcome: outcomes.filter((one) => one !== 'completed' && one !== 'no_driver').join(',') },
    ],
    [
      'no_driver',
      percent(rates.noDriver),
      number(total.outcomes.no_driver),
      { ...all, outcome: 'no_driver' },
    ],
  ]
  return (
    <section className={classes.cards} aria-label={t('menu.operations')}>
      {cards.map(([key, figure, note, search]) => (
        <Link key={key} to="/bookings" search={search} className={classes.card}>
          <span className={classes.cardTitle}>{t(`reports.op_${key}`)}</span>
          <span className={classes.figure}>
            <bdi>{figure}</bdi>
          </span>
          <span className={panel.quiet}>{note}</span>
        </Link>
      ))}
    </section>
  )
}

function Groups({ view }: { view: OperationsView }) {
  const { t } = useText()
  const [params, change] = useSearchParams()
  const by = dimensions.find((one) => one === params.by) ?? 'hour'
  const groups = useOperationGroups(view, by, endedTrips(view))
  const { percent, seconds, number } = useRateFormat()
  const cells = ({ bookings, outcomes: ended, acceptS, pickupS, ...counts }: OperationFiguresView) => {
    const rates = ratesOf({
      bookings,
      outcomes: ended as Record<(typeof outcomes)[number], number>,
      ...counts,
    })
    return [
      ['bookings', number(bookings)],
      ['completion', percent(rates.completed)],
      ['acceptance', percent(rates.acceptedBookings)],
      ['accept', seconds(acceptS?.median)],
      ['pickup', seconds(pickupS?.median)],
      ['cancelled', percent(rates.cancelled)],
      ['no_driver', percent(rates.noDriver)],
    ] as const
  }
  return (
    <section className={panel.panel} aria-labelledby="groups-title">
      <div className={panel.head}>
        <h2 id="groups-title" className={panel.title}>
          {t('reports.op_breakdown')}
        </h2>
        <ToggleGroup
          label={t('reports.grouped_by')}
          options={dimensions.map((one) => ({ value: one, label: t(`reports.op_by_${one}`) }))}
          value={by}
          onChange={(one) => change(() => ({ by: one === 'hour' ? undefined : one }))}
        />
      </div>
      <Suspense fallback={<Skeleton height="220px" />}>
        <GroupsChart groups={groups} by={t(`reports.op_by_${by}`)} />
      </Suspense>
      {/* A table that scrolls sideways on a phone: reachable with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys */}
      <div className={classes.tableBox} tabIndex={0} role="group" aria-labelledby="groups-title">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t(`reports.op_by_${by}`)}</th>
              {cells(view.total).map(([key]) => (
                <th key={key} scope="col">
                  {t(`reports.op_${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ key, label, search, figures }) => (
              <tr key={key}>
                <th scope="row">
                  <Link to="/bookings" search={search}>
                    <bdi>{label}</bdi>
                  </Link>
                </th>
                {cells(figures).map(([name, text]) => (
                  <td key={name}>
                    <bdi>{text}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Reasons({ view }: { view: OperationsView }) {
  const { t } = useText()
  const { number } = useRateFormat()
  if (view.reasons.length === 0) return null
  return (
    <section className={panel.panel} aria-labelledby="reasons-title">
      <h2 id="reasons-title" className={panel.title}>
        {t('reports.op_reasons')}
      </h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('history.reason')}</th>
            <th scope="col">{t('history.cancelledBy')}</th>
            <th scope="col">{t('reports.op_bookings')}</th>
          </tr>
        </thead>
        <tbody>
          {view.reasons.map(({ outcome, reason, count }) => (
            <tr key={`${outcome} ${reason}`}>
              <th scope="row">
                <Link
                  to="/bookings"
                  search={{ ...endedTrips(view), outcome, ...(reason !== null && { reason }) }}
                >
                  <bdi>{reason === null ? t('reports.op_no_reason') : reasonText(reason, t)}</bdi>
                </Link>
              </th>
              <td>{t(`history.outcome_${outcome}`)}</td>
              <td>{number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
