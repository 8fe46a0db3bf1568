import type { OperationsView } from '@hansom/contract/reports'
import type { FigureName } from '@hansom/domain/reports/operations'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useReasonText } from '../../entities/bookings/reason-text.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { type SearchParams, useSearchParams } from '../../lib/search-params.ts'
import { Skeleton } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import { ToggleGroup } from '../../ui/toggle-group.tsx'
import { dimensions, useOperationGroups } from './operation-groups.ts'
import classes from './operations.module.css'
import { useFigureTexts } from './use-figure-texts.ts'

const GroupsChart = lazy(async () => ({ default: (await import('./operations-chart.tsx')).GroupsChart }))

interface Props {
  view: OperationsView
  /** The search of /bookings that lists the counted bookings. */
  all: SearchParams
}

/** The figures by hour, day, area or car type, as a chart and a table; each row lists its bookings. */
export function Groups({ view, all, figures }: Props & { figures: readonly FigureName[] }) {
  const { t } = useText()
  const [params, change] = useSearchParams()
  const by = dimensions.find((one) => one === params.by) ?? 'hour'
  const groups = useOperationGroups(view, by, all)
  const write = useFigureTexts()
  return (
    <div className={panel.panel}>
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys */}
      <section className={classes.tableBox} tabIndex={0} aria-labelledby="groups-title">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t(`reports.op_by_${by}`)}</th>
              {figures.map((name) => (
                <th key={name} scope="col">
                  {t(`reports.op_${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ key, label, search, figures: counted }) => {
              const texts = write(counted)
              return (
                <tr key={key}>
                  <th scope="row">
                    <Link to="/bookings" search={search}>
                      <bdi>{label}</bdi>
                    </Link>
                  </th>
                  {figures.map((name) => (
                    <td key={name}>
                      <bdi>{texts[name].figure}</bdi>
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** Cancellations by side and reason, most frequent first. */
export function Reasons({ view, all }: Props) {
  const { t } = useText()
  const format = useFormat()
  const reasonText = useReasonText()
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
                {reason === null ? (
                  t('reports.op_no_reason')
                ) : (
                  <Link to="/bookings" search={{ ...all, outcome, reason }}>
                    <bdi>{reasonText(reason)}</bdi>
                  </Link>
                )}
              </th>
              <td>{t(`history.outcome_${outcome}`)}</td>
              <td>{format.number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
