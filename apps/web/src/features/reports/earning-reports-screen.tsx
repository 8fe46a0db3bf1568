import type { EarningRow, EarningSums } from '@hansom/contract/reports'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { ReportTable } from '../../ui/table/report-table.tsx'
import { useMedia } from '../../lib/use-media.ts'
import { ChartPanel } from './chart-panel.tsx'
import { earningColumns, sumOfYear, yearGroup } from './earning-columns.tsx'
import { ReportHead } from './report-head.tsx'
import classes from './reports.module.css'
import { countedTripsOf } from '../../entities/bookings/bookings-search.ts'
import { useMonthNames } from './use-months.ts'
import { useReportAddress, yearSpan } from './use-report-address.ts'
import { YearChoice } from './year-choice.tsx'

const series = [
  { name: 'fee', label: 'reports.convenience_fee', color: 'var(--h-ink-2)' },
  { name: 'profit', label: 'reports.profit', color: 'var(--h-accent)' },
]

const idOf = ({ year, month }: EarningRow) => `${year}-${month}`

/** What the platform has earned month by month, with profit: as a picture and as a table with the sums of years. */
export function EarningReportsScreen() {
  const { t } = useText()
  const phone = useMedia('(max-width: 640px)')
  const words = useMonthNames(phone)
  const navigate = useNavigate()
  const [{ year }, change] = useReportAddress()
  // There are a few rows a year: all of them are here, and a year is chosen among them.
  const report = useQuery(orpc.reports.earnings.queryOptions({ input: {} }))
  const items = report.data?.items
  const rows = useMemo(() => items?.filter((row) => year === null || row.year === year) ?? [], [items, year])
  const columns = useMemo(() => earningColumns(words, phone), [words, phone])
  const groups = useMemo(() => [yearGroup(words)], [words])
  const months = useMemo(
    () =>
      items &&
      rows.map(({ year: at, month, convenienceFee, profit }) => ({
        year: at,
        month,
        values: { fee: convenienceFee, profit },
      })),
    [items, rows],
  )
  const asked = new URLSearchParams(year === null ? {} : { year: yearSpan(year) })
  return (
    <div className={pageFrame}>
      <ReportHead title="menu.earning_reports" exportUrl={`/api/v1/exports/earnings?${asked}`} />
      <ChartPanel months={report.isError ? [] : months} series={series} label="reports.chart_earnings" />
      <div className={classes.tools}>
        <YearChoice
          years={[...new Set(items?.map((row) => row.year))]}
          value={year}
          onChange={(chosen) => change({ year: chosen })}
        />
      </div>
      {report.isError ? (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} />
      ) : !report.data ? (
        <LoadingState rows={8} height="44px" />
      ) : rows.length === 0 ? (
        <EmptyState title={t('reports.empty_title')}>{t('reports.empty_text')}</EmptyState>
      ) : (
        <ReportTable<EarningRow, EarningSums>
          title="menu.earning_reports"
          columns={columns}
          rows={rows}
          rowId={idOf}
          groups={groups}
          openTo={1}
          subtotal={([of]) => sumOfYear(rows, Number(of))}
          total={year === null ? report.data.total : sumOfYear(rows, year)}
          onOpen={(row) => void navigate({ to: '/bookings', search: countedTripsOf(row) })}
        />
      )}
    </div>
  )
}
