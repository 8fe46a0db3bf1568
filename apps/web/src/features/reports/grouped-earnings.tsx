import type { DriverTotal } from '@hansom/contract/reports'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { countedTripsOf, countedTripsUrl } from '../../entities/bookings/bookings-search.ts'
import { api } from '../../lib/api.ts'
import { useMedia } from '../../lib/use-media.ts'
import { Integer, Money } from '../../ui/money.tsx'
import { type ReportColumn, type ReportGroup, ReportTable } from '../../ui/table/report-table.tsx'
import { DriverName, type DriverSums, driverAmounts, LoadMore, Plate } from './cells.tsx'
import { type GroupRow, groupRows, keyOf, type Loaded, type Stretch } from './group-rows.ts'
import { useGroupRows } from './use-group-rows.ts'
import { type MonthNames, useMonthNames } from './use-months.ts'
import { type Grouping, type ReportAddress, yearSpan } from './use-report-address.ts'

const rowsAtOnce = 100
const idOf = ({ id }: GroupRow) => id

interface Props {
  address: ReportAddress
  grouping: Exclude<Grouping, 'list'>
  months: readonly DriverTotal[]
  years: readonly DriverTotal[]
  total: DriverTotal | undefined
}

/** Drivers' earnings in groups with subtotals. Groups are shown immediately, their rows load when they become visible. */
export function GroupedEarnings({ address, grouping, months, years, total }: Props) {
  const phone = useMedia('(max-width: 640px)')
  const words = useMonthNames(phone)
  const navigate = useNavigate()
  const { year, q } = address
  const narrowing = useMemo(
    () => ({ ...(year === null ? {} : { year: yearSpan(year) }), ...(q.trim().length > 1 ? { q } : {}) }),
    [year, q],
  )
  const [loaded, load] = useGroupRows(JSON.stringify([grouping, narrowing]), (stretch, cursor) =>
    api.reports.drivers({
      ...narrowing,
      ...questionOf(stretch),
      limit: rowsAtOnce,
      ...(cursor ? { cursor } : {}),
    }),
  )
  const rows = useMemo(() => groupRows(grouping, months, loaded), [grouping, months, loaded])
  const groups = useMemo(
    () => groupsOf(grouping, words, loaded, load, phone),
    [grouping, words, loaded, load, phone],
  )
  const columns = useMemo(
    () => columnsOf(grouping, words, loaded, load, phone),
    [grouping, words, loaded, load, phone],
  )
  const drivers = useMemo(
    () => new Map(loaded.get(keyOf({ of: 'drivers' }))?.rows.map((row) => [row.driver, row])),
    [loaded],
  )
  const subtotal = ([first, second]: readonly string[]): DriverSums | undefined => {
    if (grouping === 'driver') {
      const known = loaded.get(first ?? '')
      if (second === undefined) return drivers.get(first ?? '')
      // A year's subtotal needs all months of the driver.
      return known?.next === null
        ? sumOf(known.rows.filter(({ year: at }) => String(at) === second))
        : undefined
    }
    if (grouping === 'month') return months.find((one) => monthKey(one) === first)
    return second === undefined
      ? years.find((one) => String(one.year) === first)
      : months.find((one) => monthKey(one) === second)
  }
  return (
    <ReportTable<GroupRow, DriverSums>
      key={grouping}
      title="menu.driver_earning"
      columns={columns}
      rows={rows}
      rowId={idOf}
      groups={groups}
      subtotal={subtotal}
      total={total}
      link={(row) => (row.kind === 'earning' ? countedTripsUrl(row.earning) : null)}
      onOpen={(row) => {
        if (row.kind === 'earning') void navigate({ to: '/bookings', search: countedTripsOf(row.earning) })
      }}
    />
  )
}

function sumOf(rows: readonly DriverSums[]): DriverSums {
  const of = (name: keyof DriverSums) => rows.reduce((sum, row) => sum + row[name], 0)
  return {
    total_rides: of('total_rides'),
    driverShare: of('driverShare'),
    cancellationFees: of('cancellationFees'),
    bonus: of('bonus'),
    refund: of('refund'),
    earned: of('earned'),
  }
}

function questionOf(stretch: Stretch) {
  if (stretch.of === 'month')
    return {
      by: 'month',
      year: yearSpan(stretch.year),
      month: String(stretch.month),
      sort: '-period',
    } as const
  if (stretch.of === 'driver') return { by: 'month', driver: stretch.driver, sort: '-period' } as const
  return { by: 'driver', sort: '-earned' } as const
}

const monthKey = ({ year, month }: { year: number | null; month: number | null }) => `${year}-${month}`
const timeOf = (row: GroupRow) =>
  row.kind === 'earning' ? { year: row.earning.year, month: row.earning.month } : row

type Load = (stretch: Stretch) => void

function groupsOf(
  grouping: Props['grouping'],
  words: MonthNames,
  loaded: ReadonlyMap<string, Loaded>,
  load: Load,
  phone: boolean,
): ReportGroup<GroupRow>[] {
  const month: ReportGroup<GroupRow> = {
    id: 'month',
    key: (row) => monthKey(timeOf(row)),
    label: (row) => {
      const { year, month } = timeOf(row)
      return <bdi>{words.full(year ?? 0, month ?? 1)}</bdi>
    },
  }
  const year: ReportGroup<GroupRow> = {
    id: 'year',
    key: (row) => String(timeOf(row).year),
    label: (row) =>
      row.kind === 'more' && row.year === 0 ? (
        <More stretch={row.stretch} loaded={loaded} load={load} />
      ) : (
        <bdi>{words.year(timeOf(row).year ?? 0)}</bdi>
      ),
  }
  if (grouping === 'month') return [month]
  if (grouping === 'year') return [year, month]
  const headOf = (row: GroupRow) => (row.kind === 'earning' ? row.earning : row.driver)
  return [
    {
      id: 'driver',
      key: (row) => headOf(row)?.driver ?? 'more',
      label: (row) => {
        const head = headOf(row)
        if (head) return <DriverName driver={head} withPlate={!phone} />
        return <More stretch={{ of: 'drivers' }} loaded={loaded} load={load} />
      },
    },
    year,
  ]
}

function columnsOf(
  grouping: Props['grouping'],
  words: MonthNames,
  loaded: ReadonlyMap<string, Loaded>,
  load: Load,
  phone: boolean,
): ReportColumn<GroupRow, DriverSums>[] {
  const byDriver = grouping === 'driver'
  const [earned, ...parts] = driverAmounts.map(
    ([name, header]): ReportColumn<GroupRow, DriverSums> => ({
      id: name,
      header,
      align: 'end',
      width: phone ? 112 : 140,
      cell: (row) => (row.kind === 'earning' ? <Money amount={row.earning[name]} /> : null),
      sum: (sums) => <Money amount={sums[name]} />,
    }),
  )
  return [
    {
      id: 'name',
      header: byDriver ? 'reports.driver_month' : 'reports.month_driver',
      // On a phone, only name, earned and trips fit next to each other.
      width: phone ? 164 : 260,
      cell: (row) => {
        if (row.kind === 'more') return <More stretch={row.stretch} loaded={loaded} load={load} />
        const { earning } = row
        return byDriver ? (
          <bdi>{words.full(earning.year ?? 0, earning.month ?? 1)}</bdi>
        ) : (
          <DriverName driver={earning} />
        )
      },
    },
    ...(earned ? [earned] : []),
    ...(byDriver || phone
      ? []
      : [
          {
            id: 'plate',
            header: 'reports.plate',
            width: 130,
            cell: (row: GroupRow) => (row.kind === 'earning' ? <Plate driver={row.earning} /> : null),
          },
        ]),
    {
      id: 'rides',
      header: 'reports.rides',
      align: 'end',
      width: phone ? 74 : 110,
      cell: (row) => (row.kind === 'earning' ? <Integer value={row.earning.total_rides} /> : null),
      sum: (sums) => <Integer value={sums.total_rides} />,
    },
    ...parts,
  ]
}

function More({
  stretch,
  loaded,
  load,
}: {
  stretch: Stretch
  loaded: ReadonlyMap<string, Loaded>
  load: Load
}) {
  const state = loaded.get(keyOf(stretch))
  // The key remounts the placeholder for every page, so that it loads the next one.
  return (
    <LoadMore
      key={`${keyOf(stretch)} ${state?.rows.length ?? 0}`}
      failed={state?.failed ?? false}
      onLoad={() => load(stretch)}
    />
  )
}
