import { accountsContract } from './accounts.ts'
import { alertsContract } from './alerts.ts'
import { auditContract } from './audit.ts'
import { bookingsContract } from './bookings.ts'
import { cancelReasonsContract } from './cancel-reasons.ts'
import { carTypesContract } from './car-types.ts'
import { chatsContract } from './chats.ts'
import { deliveriesContract } from './deliveries.ts'
import { devicesContract } from './devices.ts'
import { dispatchContract } from './dispatch.ts'
import { dispatchRulesContract } from './dispatch-rules.ts'
import { earningsContract } from './earnings.ts'
import { failedWorkContract } from './failed-work.ts'
import { functionsContract } from './functions.ts'
import { integrationsContract } from './integrations.ts'
import { languagesContract } from './languages.ts'
import { mailboxContract } from './mailbox.ts'
import { messagesContract } from './messages.ts'
import { paymentsContract } from './payments.ts'
import { placesContract } from './places.ts'
import { promosContract } from './promos.ts'
import { pushNotificationsContract } from './push-notifications.ts'
import { receiptsContract } from './receipts.ts'
import { refundsContract } from './refunds.ts'
import { reportsContract } from './reports.ts'
import { safetyContract } from './safety.ts'
import { searchContract } from './search.ts'
import { pagesContract, settingsContract } from './settings.ts'
import { trackingContract } from './tracking.ts'
import { tripLinksContract } from './trip-links.ts'
import { setupContract, usersContract } from './users.ts'
import { ledgerContract, walletContract } from './wallet.ts'
import { withdrawsContract } from './withdraws.ts'

/** Every route of the platform, grouped by noun. */
export const contract = {
  settings: settingsContract,
  pages: pagesContract,
  languages: languagesContract,
  carTypes: carTypesContract,
  cancelReasons: cancelReasonsContract,
  promos: promosContract,
  pushNotifications: pushNotificationsContract,
  places: placesContract,
  bookings: bookingsContract,
  deliveries: deliveriesContract,
  dispatch: dispatchContract,
  dispatchRules: dispatchRulesContract,
  tracking: trackingContract,
  tripLinks: tripLinksContract,
  chats: chatsContract,
  safety: safetyContract,
  accounts: accountsContract,
  users: usersContract,
  devices: devicesContract,
  mailbox: mailboxContract,
  messages: messagesContract,
  reports: reportsContract,
  earnings: earningsContract,
  integrations: integrationsContract,
  search: searchContract,
  audit: auditContract,
  payments: paymentsContract,
  wallet: walletContract,
  withdraws: withdrawsContract,
  ledger: ledgerContract,
  refunds: refundsContract,
  receipts: receiptsContract,
  failedWork: failedWorkContract,
  alerts: alertsContract,
  setup: setupContract,
  functions: functionsContract,
}
export type Contract = typeof contract
