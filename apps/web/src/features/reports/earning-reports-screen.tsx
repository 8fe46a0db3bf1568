import type { EarningRow, EarningSums } from '@hansom/contract/reports'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { countedTripsOf, countedTripsUrl } from '../../entities/bookings/bookings-search.ts'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useMedia } from '../../lib/use-media.ts'
import { Integer, Money } from '../../ui/money.tsx'
import { pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import panel from '../../ui/panel.module.css'
import { type ReportColumn, type ReportGroup, ReportTable } from '../../ui/table/report-table.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { ReportHead } from './report-head.tsx'
import classes from './reports.module.css'
import { type MonthNames, useMonthNames } from './use-months.ts'
import { useReportAddress, yearSpan } from './use-report-address.ts'
import { YearChoice } from './year-choice.tsx'

const series = [
  { name: 'fee', label: 'reports.convenience_fee', color: 'var(--h-ink-2)' },
  { name: 'net', label: 'reports.net', color: 'var(--h-accent)' },
]

const idOf = ({ year, month }: EarningRow) => `${year}-${month}`

/** The platform's earnings and net by month: a chart, and a table with yearly totals. */
export function EarningReportsScreen() {
  const { t } = useText()
  const phone = useMedia('(max-width: 640px)')
  const words = useMonthNames(phone)
  const navigate = useNavigate()
  const [{ year }, change] = useReportAddress()
  // Twelve rows a year: all are loaded, and the year is filtered here.
  const report = useQuery(orpc.reports.earnings.queryOptions({ input: {} }))
  const items = report.data?.items
  const rows = useMemo(() => items?.filter((row) => year === null || row.year === year) ?? [], [items, year])
  const [amount, setAmount] = useState<AmountName>('net')
  const columns = useMemo(() => earningColumns(words, phone ? amount : null), [words, phone, amount])
  const groups = useMemo(() => [yearGroup(words)], [words])
  const months = useMemo(
    () =>
      items &&
      rows.map(({ year: at, month, convenienceFee, net }) => ({
        year: at,
        month,
        values: { fee: convenienceFee, net },
      })),
    [items, rows],
  )
  const asked = new URLSearchParams(year === null ? {} : { year: yearSpan(year) })
  return (
    <div className={pageFrame}>
      <ReportHead title="menu.earning_reports" exportUrl={`/api/v1/exports/earnings?${asked}`} />
      <p className={panel.quiet}>{t('reports.net_rule')}</p>
      <ChartPanel
        months={report.isError ? [] : months}
        series={series}
        label="reports.chart_earnings"
        isNarrowed={year !== null}
        ofDay={({ convenienceFee, net }) => ({ fee: convenienceFee, net: net ?? 0 })}
      />
      <div className={classes.tools}>
        <YearChoice
          years={[...new Set(items?.map((row) => row.year))]}
          value={year}
          onChange={(chosen) => change({ year: chosen })}
        />
        {phone ? <AmountChoice value={amount} onChange={setAmount} /> : null}
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
          link={countedTripsUrl}
          onOpen={(row) => void navigate({ to: '/bookings', search: countedTripsOf(row) })}
        />
      )}
    </div>
  )
}

/** Net is first, next to the month: later amounts may be beyond the edge of the screen. */
const amounts = [
  ['net', 'reports.net'],
  ['tripCost', 'reports.trip_cost'],
  ['driverShare', 'reports.drivers_share'],
  ['convenienceFee', 'reports.convenience_fee'],
  ['discountAmount', 'reports.discount'],
  ['profit', 'reports.profit'],
  ['writeOffs', 'reports.write_offs'],
  ['platformRefunds', 'reports.platform_refunds'],
  ['disputeFees', 'reports.dispute_fees'],
  ['cancellationFees', 'reports.cancellation_fees'],
  ['driverRefunds', 'reports.driver_refunds'],
  ['openRefunds', 'reports.open_refunds'],
  ['bonuses', 'reports.bonuses'],
  ['credits', 'reports.credits'],
] as const

type AmountName = (typeof amounts)[number][0]

/** Select for the amount that a phone shows: only one fits next to the month and the trips. */
function AmountChoice({ value, onChange }: { value: AmountName; onChange: (name: AmountName) => void }) {
  const { t } = useText()
  return (
    <select
      className={classes.select}
      aria-label={t('reports.amount')}
      value={value}
      onChange={(event) => onChange(event.target.value as AmountName)}
    >
      {amounts.map(([name, header]) => (
        <option key={name} value={name}>
          {t(header)}
        </option>
      ))}
    </select>
  )
}

/** Columns for month, trips and amounts, also for totals; `only` is the amount that a phone shows, null for all. */
export function earningColumns(
  words: MonthNames,
  only: AmountName | null,
): ReportColumn<EarningRow, EarningSums>[] {
  const phone = only !== null
  const shown = phone ? amounts.filter(([name]) => name === only) : amounts
  const [first, ...others] = shown.map(
    ([name, header]): ReportColumn<EarningRow, EarningSums> => ({
      id: name,
      header,
      align: 'end',
      width: phone ? 126 : 140,
      cell: (row) => <Money amount={row[name]} />,
      sum: (sums) => <Money amount={sums[name]} />,
    }),
  )
  return [
    {
      id: 'month',
      header: 'reports.month',
      width: phone ? 150 : 180,
      cell: ({ year, month }) => <bdi>{words.full(year, month)}</bdi>,
    },
    ...(phone || !first ? [] : [first]),
    {
      id: 'rides',
      header: 'reports.rides',
      align: 'end',
      width: phone ? 74 : 100,
      cell: (row) => <Integer value={row.total_rides} />,
      sum: (sums) => <Integer value={sums.total_rides} />,
    },
    ...(phone
      ? []
      : [
          {
            id: 'cancelled',
            header: 'reports.cancelled',
            align: 'end' as const,
            width: 110,
            cell: (row: EarningRow) => <Integer value={row.cancelled} />,
            sum: (sums: EarningSums) => <Integer value={sums.cancelled} />,
          },
        ]),
    ...(phone && first ? [first] : others),
  ]
}

function yearGroup(words: MonthNames): ReportGroup<EarningRow> {
  return { id: 'year', key: ({ year }) => String(year), label: ({ year }) => <bdi>{words.year(year)}</bdi> }
}

/** Totals of a year whose months are all loaded; integers, so exact. */
function sumOfYear(rows: readonly EarningRow[], year: number): EarningSums | undefined {
  const [first, ...others] = rows.filter((row) => row.year === year)
  return others.reduce<EarningSums | undefined>((sum, row) => sum && addSums(sum, row), first)
}

function addSums(one: EarningSums, other: EarningSums): EarningSums {
  const sum = { ...one }
  for (const [name] of amounts) sum[name] += other[name]
  for (const name of ['total_rides', 'cancelled'] as const) sum[name] += other[name]
  return sum
}
