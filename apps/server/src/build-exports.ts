import type { Services } from './create-services.ts'
import { auditExport } from './features/audit/service.ts'
import { bookingsExport } from './features/bookings/export.ts'
import { cancelReasonsExport } from './features/cancel-reasons/service.ts'
import { carTypesExport } from './features/car-types/admin.ts'
import { languagesExport } from './features/languages/export.ts'
import { paymentsExport } from './features/payments/admin.ts'
import { promosExport } from './features/promos/service.ts'
import { pushNotificationsExport } from './features/push-notifications/service.ts'
import { refundsExport } from './features/refunds/service.ts'
import { driverEarningsExport, earningsExport } from './features/reports/export.ts'
import { peopleExport } from './features/users/admin/routes.ts'
import { ledgerExport } from './features/wallet/ledger.ts'
import { withdrawsExport } from './features/withdraws/service.ts'
import type { TableExport } from './platform/tables/table-export.ts'

/** Lists every exportable table, each defined in its feature's `export.ts`. */
export function buildExports(services: Services): TableExport[] {
  return [
    bookingsExport(services.bookingsFeature.bookings),
    peopleExport(services.people),
    carTypesExport(services.carTypesAdmin),
    cancelReasonsExport(services.cancelReasonsAdmin),
    promosExport(services.promosAdmin),
    pushNotificationsExport(services.pushNotifications),
    languagesExport(services.languages),
    driverEarningsExport(services.reports),
    earningsExport(services.reports),
    withdrawsExport(services.withdraws),
    paymentsExport(services.payments),
    refundsExport(services.refunds),
    ledgerExport(services.walletOffice),
    auditExport(services.audit),
  ]
}
