import { driverEarningsTable } from '@hansom/contract/reports-table'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { ReportsService } from './service.ts'

const pageSize = 20

/** Dashboard and reports. */
export function reportsRoutes(os: Os, service: ReportsService) {
  const { reports } = os
  return {
    dashboard: reports.dashboard.use(signedIn).handler(({ context }) => service.dashboard(context.viewer)),
    drivers: reports.drivers.use(signedIn).handler(({ context, input: { sort, limit, ...asked } }) =>
      service.drivers(context.viewer, {
        ...asked,
        sort: sort ?? driverEarningsTable.defaultSort,
        limit: limit ?? pageSize,
      }),
    ),
    driversCount: reports.driversCount
      .use(signedIn)
      .handler(({ context, input }) => service.driversCount(context.viewer, input)),
    driverTotals: reports.driverTotals
      .use(signedIn)
      .handler(({ context, input }) => service.driverTotals(context.viewer, input)),
    earnings: reports.earnings.handler(async ({ input }) => {
      const { items, total } = await service.earnings(input)
      return { items, next: null, total }
    }),
  }
}
