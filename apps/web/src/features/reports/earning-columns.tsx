import type { EarningRow, EarningSums } from '@hansom/contract/reports'
import { Money } from '../../ui/money.tsx'
import type { ReportColumn, ReportGroup } from '../../ui/table/report-table.tsx'
import { Integer } from '../../ui/integer.tsx'
import type { MonthNames } from './use-months.ts'

const amounts = [
  ['tripCost', 'reports.trip_cost'],
  ['rideCost', 'reports.ride_cost'],
  ['convenienceFee', 'reports.convenience_fee'],
  ['discountAmount', 'reports.discount'],
  ['profit', 'reports.profit'],
] as const

/** Month, rides and what they brought; the same of sums. */
export function earningColumns(words: MonthNames, phone: boolean): ReportColumn<EarningRow, EarningSums>[] {
  return [
    {
      id: 'month',
      header: 'reports.month',
      width: phone ? 150 : 180,
      cell: ({ year, month }) => <bdi>{words.full(year, month)}</bdi>,
    },
    {
      id: 'rides',
      header: 'reports.rides',
      align: 'end',
      width: phone ? 74 : 100,
      cell: (row) => <Integer value={row.total_rides} />,
      sum: (sums) => <Integer value={sums.total_rides} />,
    },
    ...amounts.map(
      ([name, header]): ReportColumn<EarningRow, EarningSums> => ({
        id: name,
        header,
        align: 'end',
        width: phone ? 126 : 140,
        cell: (row) => <Money amount={row[name]} />,
        sum: (sums) => <Money amount={sums[name]} />,
      }),
    ),
  ]
}

export function yearGroup(words: MonthNames): ReportGroup<EarningRow> {
  return { id: 'year', key: ({ year }) => String(year), label: ({ year }) => <bdi>{words.year(year)}</bdi> }
}

/** The sums of a year whose months are all there: integers, so exact. */
export function sumOfYear(rows: readonly EarningRow[], year: number): EarningSums {
  const of = (name: keyof EarningSums) =>
    rows.reduce((sum, row) => (row.year === year ? sum + row[name] : sum), 0)
  return {
    total_rides: of('total_rides'),
    tripCost: of('tripCost'),
    rideCost: of('rideCost'),
    convenienceFee: of('convenienceFee'),
    discountAmount: of('discountAmount'),
    profit: of('profit'),
  }
}
