import type { Services } from './create-services.ts'
import { accountsRoutes, setupRoutes, signUpFunctions } from './features/accounts/routes.ts'
import { alertsRoutes } from './features/alerts/service.ts'
import { auditExport, auditRoutes } from './features/audit/service.ts'
import { bookingsExport, bookingsRoutes, dispatchRoutes, trackingRoutes } from './features/bookings/routes.ts'
import { cancelReasonsExport, cancelReasonsRoutes } from './features/cancel-reasons/service.ts'
import { carTypesExport, carTypesRoutes } from './features/car-types/service.ts'
import { chatsRoutes } from './features/chats/admin.ts'
import { addressBookRoutes } from './features/deliveries/address-book.ts'
import { importsRoutes } from './features/deliveries/imports.ts'
import { devicesRoutes, pushTokenRoutes } from './features/devices/routes.ts'
import { dispatchRulesRoutes } from './features/dispatch-rules/service.ts'
import { earningsRoutes } from './features/earnings/service.ts'
import { failedWorkRoutes } from './features/failed-work/service.ts'
import { integrationsRoutes } from './features/integrations/service.ts'
import { languagesExport } from './features/languages/export.ts'
import { languagesRoutes } from './features/languages/routes.ts'
import { ledgerCheckRoutes } from './features/ledger-check/service.ts'
import { mailboxRoutes } from './features/mailbox/service.ts'
import { messagesRoutes } from './features/messages/service.ts'
import { paymentsExport } from './features/payments/admin.ts'
import { paymentsRoutes, providersFunction } from './features/payments/service.ts'
import { functionsRoutes, placesRoutes } from './features/places/routes.ts'
import { promosExport, promosRoutes } from './features/promos/service.ts'
import { sendNotificationFunction } from './features/push-notifications/send.ts'
import { pushNotificationsExport, pushNotificationsRoutes } from './features/push-notifications/service.ts'
import { receiptsRoutes } from './features/receipts/service.ts'
import { refundsExport, refundsRoutes } from './features/refunds/service.ts'
import { driverEarningsExport, earningsExport, reportsRoutes } from './features/reports/routes.ts'
import { safetyRoutes } from './features/safety/service.ts'
import { searchRoutes } from './features/search/service.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { tripLinksRoutes } from './features/trip-links/service.ts'
import { userAdminRoutes, usersExport } from './features/users/admin/routes.ts'
import { usersRoutes } from './features/users/routes.ts'
import { ledgerRoutes, ownWalletRoutes, walletRoutes } from './features/wallet/admin-service.ts'
import { ledgerExport } from './features/wallet/ledger.ts'
import { pagesRoutes } from './features/web/routes.ts'
import { withdrawsExport, withdrawsRoutes } from './features/withdraws/service.ts'
import type { Clock } from './platform/clock/clock.ts'
import { os } from './platform/http/implement.ts'
import type { Log } from './platform/log/log.ts'
import type { TableExport } from './platform/tables/table-export.ts'

/** Implements the complete contract: a missing route is a type error here. */
export function buildRouter(services: Services, { clock, log }: { clock: Clock; log: Log }) {
  const { bookings, dispatch, tracking } = services.bookingsFeature
  return os.router({
    settings: settingsRoutes(os, services.settings, clock, services.licence, {
      convertRates: async (...change) => {
        await services.carTypesAdmin.convertRates(...change)
        await services.dispatchRules.convertRates(...change)
      },
    }),
    pages: pagesRoutes(os, log),
    languages: languagesRoutes(os, services.languages),
    carTypes: carTypesRoutes(os, services.carTypes, services.carTypesAdmin),
    cancelReasons: cancelReasonsRoutes(os, services.cancelReasons, services.cancelReasonsAdmin),
    promos: promosRoutes(os, services.promosAdmin),
    pushNotifications: pushNotificationsRoutes(os, services.pushNotifications),
    places: placesRoutes(os, services.places),
    bookings: bookingsRoutes(os, bookings),
    deliveries: { ...addressBookRoutes(os, services.addressBook), ...importsRoutes(os, services.imports) },
    dispatch: dispatchRoutes(os, dispatch),
    dispatchRules: dispatchRulesRoutes(os, services.dispatchRules),
    tracking: trackingRoutes(os, tracking),
    tripLinks: tripLinksRoutes(os, services.tripLinks),
    chats: chatsRoutes(os, services.chats, services.chatsAdmin),
    safety: safetyRoutes(os, services.safety, services.contacts),
    accounts: accountsRoutes(os, services.accounts),
    mailbox: mailboxRoutes(os, services.mailbox),
    messages: messagesRoutes(os, services.messages),
    integrations: integrationsRoutes(os, services.integrations),
    search: searchRoutes(os, services.search),
    devices: devicesRoutes(os, services.devices),
    users: {
      ...usersRoutes(os, services.users, services.profile),
      ...pushTokenRoutes(os, services.devices),
      ...ownWalletRoutes(os, services.wallet),
      ...userAdminRoutes(os, services.userAdmin),
    },
    reports: reportsRoutes(os, services.reports),
    earnings: earningsRoutes(os, services.earnings),
    audit: auditRoutes(os, services.audit),
    payments: paymentsRoutes(os, services.payments),
    wallet: walletRoutes(os, services.walletAdmin),
    refunds: refundsRoutes(os, services.refunds, services.payments),
    receipts: receiptsRoutes(os, services.receipts),
    ledger: { ...ledgerRoutes(os, services.walletAdmin), ...ledgerCheckRoutes(os, services.ledgerCheck) },
    failedWork: failedWorkRoutes(os, services.failedWork),
    alerts: alertsRoutes(os, services.alerts),
    withdraws: withdrawsRoutes(os, services.withdraws),
    setup: setupRoutes(os, services.setup),
    functions: {
      ...functionsRoutes(os, services.places),
      ...signUpFunctions(os, services.accounts),
      ...providersFunction(os, services.payments),
      ...sendNotificationFunction(os, services.devices),
    },
  })
}

/** Lists every exportable table, each defined in its feature. */
export function buildExports(services: Services): TableExport[] {
  return [
    bookingsExport(services.bookingsFeature.bookings, services),
    usersExport(services.userAdmin),
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
    ledgerExport(services.walletAdmin),
    auditExport(services.audit),
  ]
}
