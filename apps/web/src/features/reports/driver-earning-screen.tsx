import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import { SearchField } from '../../ui/table/search-field.tsx'
import { ToggleGroup } from '../../ui/toggle-group.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { GroupedEarnings } from './grouped-earnings.tsx'
import { ListedEarnings } from './listed-earnings.tsx'
import { ReportHead } from './report-head.tsx'
import classes from './reports.module.css'
import { groupings, useReportAddress, yearSpan } from './use-report-address.ts'
import { YearChoice } from './year-choice.tsx'

const series = [{ name: 'earned', label: 'reports.earned', color: 'var(--h-ink-2)' }]

/** Drivers' earnings: a chart by month, and a table in groups with subtotals or as rows. */
export function DriverEarningScreen() {
  const { t } = useText()
  const [address, change] = useReportAddress()
  const { group, year, q } = address
  const narrowing = {
    ...(year === null ? {} : { year: yearSpan(year) }),
    ...(q.trim().length > 1 ? { q: q.trim() } : {}),
  }
  const all = useQuery(orpc.reports.driverTotals.queryOptions({ input: { by: 'year' } }))
  const months = useQuery(orpc.reports.driverTotals.queryOptions({ input: { by: 'month', ...narrowing } }))
  const years = useQuery(orpc.reports.driverTotals.queryOptions({ input: { by: 'year', ...narrowing } }))
  const total = useQuery(orpc.reports.driverTotals.queryOptions({ input: { by: 'driver', ...narrowing } }))
  const drawn = useMemo(
    () =>
      months.data?.flatMap(({ year: at, month, earned }) =>
        at === null || month === null ? [] : [{ year: at, month, values: { earned } }],
      ),
    [months.data],
  )
  const isNarrowed = Object.keys(narrowing).length > 0
  const words = new URLSearchParams(narrowing)
  const failed = [months, years, total].find(({ isError }) => isError)

  return (
    <div className={pageFrame}>
      <ReportHead title="menu.driver_earning" exportUrl={`/api/v1/exports/driver-earnings?${words}`} />
      <p className={panel.quiet}>{t('reports.earned_rule')}</p>
      <ChartPanel
        months={drawn}
        series={series}
        label="reports.chart_drivers"
        isNarrowed={isNarrowed}
        ofDay={({ driversEarned }) => ({ earned: driversEarned })}
      />
      <div className={classes.tools}>
        <ToggleGroup
          label={t('reports.grouped_by')}
          options={groupings.map((one) => ({ value: one, label: t(`reports.group_${one}`) }))}
          value={group}
          onChange={(one) => change({ group: one })}
        />
        {group === 'list' ? null : (
          <>
            <YearChoice
              years={all.data?.flatMap(({ year: at }) => (at === null ? [] : [at])) ?? []}
              value={year}
              onChange={(chosen) => change({ year: chosen })}
            />
            <SearchField value={q} onChange={(typed) => change({ q: typed })} />
          </>
        )}
      </div>
      {group === 'list' ? (
        <ListedEarnings />
      ) : failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !months.data || !years.data || !total.data ? (
        <LoadingState rows={8} height="44px" />
      ) : months.data.length === 0 ? (
        isNarrowed ? (
          <EmptyState
            title={t('reports.no_match')}
            action={<Button onClick={() => change({ year: null, q: '' })}>{t('reports.clear')}</Button>}
          />
        ) : (
          <EmptyState title={t('reports.empty_title')}>{t('reports.empty_text')}</EmptyState>
        )
      ) : (
        <GroupedEarnings
          address={address}
          grouping={group}
          months={months.data}
          years={years.data}
          total={total.data[0]}
        />
      )}
    </div>
  )
}
