import type { DriverEarning } from '@hansom/contract/reports'
import { driverEarningsTable } from '@hansom/contract/reports-table'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { countedTripsOf, countedTripsUrl } from '../../entities/bookings/bookings-search.ts'
import { UserName, UserPicker } from '../../entities/users/user-picker.tsx'
import { api } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Integer, Money } from '../../ui/money.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { FilterDisplay, TableColumn } from '../../ui/table/table-types.ts'
import { DriverName, driverAmounts, Plate } from './cells.tsx'
import { type MonthWords, useMonths } from './use-months.ts'

const pick = (usertype: 'driver' | 'fleetadmin', label: string) =>
  function Pick(props: { value: string | undefined; onChange: (id: string | undefined) => void }) {
    const { t } = useText()
    return <UserPicker {...props} usertype={usertype} label={t(label)} />
  }
const userFilter = (usertype: 'driver' | 'fleetadmin', label: string): FilterDisplay => ({
  label,
  pick: pick(usertype, label),
  named: UserName,
})
const monthWords = Object.fromEntries(
  driverEarningsTable.filters.month.values.map((month) => [month, `reports.month_${month}`]),
)
const filters = {
  year: { label: 'reports.year' },
  month: { label: 'reports.month', words: monthWords },
  driver: userFilter('driver', 'reports.driver'),
}
const adminFilters = { ...filters, fleetadmin: userFilter('fleetadmin', 'reports.fleet') }

/** Drivers' months as a table with sorting, filters and search. */
export function ListedEarnings() {
  const words = useMonths()
  const navigate = useNavigate()
  const isAdmin = useMe()?.usertype === 'admin'
  const columns = useMemo(() => columnsOf(words), [words])
  return (
    <DataTable
      name="driver-earnings"
      title="menu.driver_earning"
      heading={false}
      spec={driverEarningsTable}
      columns={columns}
      filters={isAdmin ? adminFilters : filters}
      page={(query) => api.reports.drivers(query)}
      count={(narrowing) => api.reports.driversCount(narrowing)}
      rowId={({ driver, year, month }) => `${driver} ${year} ${month}`}
      rowName={({ driverName, year, month }) => `${driverName} ${words.full(year ?? 0, month ?? 1)}`}
      link={countedTripsUrl}
      onOpen={(row) => void navigate({ to: '/bookings', search: countedTripsOf(row) })}
      empty={{ title: 'reports.empty_title', text: 'reports.empty_text' }}
    />
  )
}

export function columnsOf(words: MonthWords): TableColumn<DriverEarning>[] {
  const [earned, ...parts] = driverAmounts.map(
    ([name, header]): TableColumn<DriverEarning> => ({
      id: name,
      header,
      align: 'end',
      width: 140,
      ...((name === 'driverShare' || name === 'earned') && { sort: name }),
      phone: name === 'earned' ? 'badge' : 'detail',
      cell: (row) => <Money amount={row[name]} />,
    }),
  )
  return [
    {
      id: 'driver',
      header: 'reports.driver',
      width: 220,
      phone: 'title',
      cell: (row) => <DriverName driver={row} />,
    },
    ...(earned ? [earned] : []),
    {
      id: 'month',
      header: 'reports.month',
      width: 160,
      sort: 'period',
      phone: 'subtitle',
      cell: ({ year, month }) => <bdi>{words.full(year ?? 0, month ?? 1)}</bdi>,
    },
    { id: 'plate', header: 'reports.plate', width: 130, cell: (row) => <Plate driver={row} /> },
    {
      id: 'rides',
      header: 'reports.rides',
      align: 'end',
      width: 110,
      sort: 'total_rides',
      cell: (row) => <Integer value={row.total_rides} />,
    },
    ...parts,
  ]
}
