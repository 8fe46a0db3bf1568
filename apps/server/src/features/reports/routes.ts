import { driverEarningsTable } from '@hansom/contract/reports-table'
import type { Person } from '@hansom/domain/access/relation'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { SignedInContext } from '../../platform/http/request-context.ts'
import type { ReportsService } from './service.ts'

const pageSize = 20

/** Dashboard and reports. */
export function reportsRoutes(os: Os, service: ReportsService) {
  const { reports } = os
  const person = ({ viewer }: SignedInContext): Person => ({ id: viewer.uid, usertype: viewer.role })
  return {
    dashboard: reports.dashboard.use(signedIn).handler(({ context }) => service.dashboard(person(context))),
    drivers: reports.drivers.use(signedIn).handler(({ context, input: { sort, limit, ...asked } }) =>
      service.drivers(person(context), {
        ...asked,
        sort: sort ?? driverEarningsTable.defaultSort,
        limit: limit ?? pageSize,
      }),
    ),
    driversCount: reports.driversCount
      .use(signedIn)
      .handler(({ context, input }) => service.driversCount(person(context), input)),
    driverTotals: reports.driverTotals
      .use(signedIn)
      .handler(({ context, input }) => service.driverTotals(person(context), input)),
    earnings: reports.earnings.handler(async ({ input }) => {
      const { items, total } = await service.earnings(input)
      return { items, next: null, total }
    }),
  }
}
