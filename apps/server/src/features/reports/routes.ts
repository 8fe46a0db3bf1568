import type { DriverEarning, EarningRow } from '@hansom/contract/reports'
import { driverEarningsTable, earningsTable } from '@hansom/contract/reports-table'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { DriversFilter, ReportsService } from './service.ts'

const pageSize = 20

/** Dashboard and reports. */
export function reportsRoutes(os: Os, service: ReportsService) {
  const { reports } = os
  return {
    dashboard: reports.dashboard.use(signedIn).handler(({ context }) => service.dashboard(context.actor)),
    drivers: reports.drivers.use(signedIn).handler(({ context, input: { sort, limit, ...asked } }) =>
      service.drivers(context.actor, {
        ...asked,
        sort: sort ?? driverEarningsTable.defaultSort,
        limit: limit ?? pageSize,
      }),
    ),
    driversCount: reports.driversCount
      .use(signedIn)
      .handler(({ context, input }) => service.driversCount(context.actor, input)),
    driverTotals: reports.driverTotals
      .use(signedIn)
      .handler(({ context, input }) => service.driverTotals(context.actor, input)),
    operations: reports.operations
      .use(signedIn)
      .handler(({ context, input }) => service.operations(context.actor, input)),
    earnings: reports.earnings.handler(async ({ input }) => {
      const { items, total } = await service.earnings(input)
      return { items, next: null, total }
    }),
  }
}

const batch = 1_000

/** Monthly driver earnings as a file. */
export const driverEarningsExport = (reports: Pick<ReportsService, 'drivers'>): TableExport =>
  tableExport<DriverEarning>({
    name: 'driver-earnings',
    spec: driverEarningsTable,
    roles: ['fleetadmin', 'admin'],
    when: 'always',
    async *rows(actor, { sort, ...asked }) {
      const page = {
        ...(asked as DriversFilter),
        sort: sort ?? driverEarningsTable.defaultSort,
        limit: batch,
      }
      for (let cursor: string | undefined; ; ) {
        const { items, next } = await reports.drivers(actor, { ...page, cursor })
        yield items
        if (next === null) return
        cursor = next
      }
    },
    columns: [
      { title: 'reports.year', kind: 'number', value: (row) => row.year },
      { title: 'reports.month', kind: { words: 'reports.month_' }, value: (row) => row.month },
      { title: 'reports.driver', kind: 'text', value: (row) => row.driverName },
      { title: 'reports.plate', kind: 'text', value: (row) => row.driverVehicleNo },
      { title: 'reports.rides', kind: 'number', value: (row) => row.total_rides },
      { title: 'reports.driver_share', kind: 'amount', value: (row) => row.driverShare },
      { title: 'reports.cancellation_fees', kind: 'amount', value: (row) => row.cancellationFees },
      { title: 'reports.bonus', kind: 'amount', value: (row) => row.bonus },
      { title: 'reports.refund', kind: 'amount', value: (row) => row.refund },
      { title: 'reports.earned', kind: 'amount', value: (row) => row.earned },
    ],
  })

/** Monthly platform earnings as a file. */
export const earningsExport = (reports: Pick<ReportsService, 'earnings'>): TableExport =>
  tableExport<EarningRow>({
    name: 'earnings',
    spec: earningsTable,
    roles: ['admin'],
    when: 'always',
    async *rows(_person, { sort, ...asked }) {
      const { items } = await reports.earnings({ ...asked, sort })
      yield items
    },
    columns: [
      { title: 'reports.year', kind: 'number', value: (row) => row.year },
      { title: 'reports.month', kind: { words: 'reports.month_' }, value: (row) => row.month },
      { title: 'reports.rides', kind: 'number', value: (row) => row.total_rides },
      { title: 'reports.trip_cost', kind: 'amount', value: (row) => row.tripCost },
      { title: 'reports.ride_cost', kind: 'amount', value: (row) => row.rideCost },
      { title: 'reports.convenience_fee', kind: 'amount', value: (row) => row.convenienceFee },
      { title: 'reports.discount', kind: 'amount', value: (row) => row.discountAmount },
      { title: 'reports.profit', kind: 'amount', value: (row) => row.profit },
      { title: 'reports.write_offs', kind: 'amount', value: (row) => row.writeOffs },
      { title: 'reports.platform_refunds', kind: 'amount', value: (row) => row.platformRefunds },
      { title: 'reports.dispute_fees', kind: 'amount', value: (row) => row.disputeFees },
      { title: 'reports.net', kind: 'amount', value: (row) => row.net },
      { title: 'reports.cancelled', kind: 'number', value: (row) => row.cancelled },
      { title: 'reports.cancellation_fees', kind: 'amount', value: (row) => row.cancellationFees },
      { title: 'reports.waiting', kind: 'amount', value: (row) => row.waiting },
      { title: 'reports.driver_refunds', kind: 'amount', value: (row) => row.driverRefunds },
      { title: 'reports.open_refunds', kind: 'amount', value: (row) => row.openRefunds },
      { title: 'reports.bonuses', kind: 'amount', value: (row) => row.bonuses },
      { title: 'reports.credits', kind: 'amount', value: (row) => row.credits },
    ],
  })
