import type { OperationsView } from '@hansom/contract/reports'
import { type FigureName, figureFilters, figureNames } from '@hansom/domain/reports/operations'
import { cityDay } from '@hansom/domain/time/city-time'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { serverNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { type SearchParams, useSearchParams } from '../../lib/search-params.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleGroup } from '../../ui/toggle-group.tsx'
import { type Days, moveEnd, periods, readPeriod } from './operation-period.ts'
import { Groups, Reasons } from './operation-tables.tsx'
import classes from './operations.module.css'
import { useFigureTexts } from './use-figure-texts.ts'

/** The definitions below the figures. */
const rules = [
  'bookings',
  'completion',
  'acceptance',
  'accept',
  'pickup',
  'cancelled',
  'no_driver',
  'area',
] as const

/** A fleet has no part in bookings that none of its drivers accepted, so its share of them would always be all. */
const fleetFigures: readonly FigureName[] = figureNames.filter(
  (name) => name !== 'acceptance' && name !== 'no_driver',
)

/** The operator's figures of a period: rates and times, by hour, day, area or car type, with the bookings behind them. */
export function OperationsScreen() {
  const { t } = useText()
  const { timezone } = useSettings()
  const figures: readonly FigureName[] = useMe()?.usertype === 'admin' ? figureNames : fleetFigures
  const [params] = useSearchParams()
  const { period, from, to } = readPeriod(params, cityDay(serverNow(), timezone))
  const report = useQuery({
    ...orpc.reports.operations.queryOptions({ input: { from, to } }),
    placeholderData: (before) => before,
  })
  const view = report.data
  const all: SearchParams = view ? { tripdate: `${view.from}..${view.to}`, ...figureFilters.bookings } : {}
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
      <PeriodChoice period={period} days={{ from, to }} />
      {report.isError ? (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} />
      ) : !view ? (
        <LoadingState rows={6} height="64px" />
      ) : view.total.bookings === 0 ? (
        <EmptyState title={t('reports.empty_title')}>{t('reports.op_empty')}</EmptyState>
      ) : (
        <>
          <Cards total={view.total} all={all} figures={figures} />
          <Groups view={view} all={all} figures={figures} />
          <Reasons view={view} all={all} />
        </>
      )}
      <details className={classes.rules}>
        <summary>{t('reports.op_rules')}</summary>
        <ul>
          {rules
            .filter((rule) => rule === 'area' || figures.includes(rule))
            .map((rule) => (
              <li key={rule}>{t(`reports.op_rule_${rule}`)}</li>
            ))}
          {figures === fleetFigures ? <li>{t('reports.op_rule_fleet')}</li> : null}
        </ul>
      </details>
    </div>
  )
}

function PeriodChoice({ period, days }: { period: (typeof periods)[number]; days: Days }) {
  const { t } = useText()
  const [, change] = useSearchParams()
  const day = (end: keyof Days) => (
    <TextField
      label={t(`reports.op_${end}`)}
      type="date"
      dir="ltr"
      value={days[end]}
      onChange={({ target }) =>
        target.value && change(() => ({ ...moveEnd(days, end, target.value), period: 'custom' }))
      }
    />
  )
  return (
    <div className={classes.tools}>
      <ToggleGroup
        label={t('reports.op_period')}
        options={periods.map((one) => ({ value: one, label: t(`reports.op_period_${one}`) }))}
        value={period}
        onChange={(one) =>
          change(() => ({
            period: one === '7' ? undefined : one,
            from: one === 'custom' ? days.from : undefined,
            to: one === 'custom' ? days.to : undefined,
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
  )
}

interface CardsProps {
  total: OperationsView['total']
  all: SearchParams
  figures: readonly FigureName[]
}

function Cards({ total, all, figures }: CardsProps) {
  const { t } = useText()
  const texts = useFigureTexts()(total)
  return (
    <section className={classes.cards} aria-label={t('menu.operations')}>
      {figures.map((name) => (
        <Link key={name} to="/bookings" search={{ ...all, ...figureFilters[name] }} className={classes.card}>
          <span className={classes.cardTitle}>{t(`reports.op_${name}`)}</span>
          <span className={classes.figure}>
            <bdi>{texts[name].figure}</bdi>
          </span>
          <span className={panel.quiet}>{texts[name].note}</span>
        </Link>
      ))}
    </section>
  )
}
