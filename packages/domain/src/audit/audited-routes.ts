import { type RouteName, type RouteRule, routes } from '../access/routes.ts'
import type { Role } from '../users/roles.ts'

/** Verbs that only read. */
const readingVerbs = ['list', 'count', 'get', 'table', 'all', 'find']

/** Nouns whose routes only read. */
const readingNouns = ['reports', 'search', 'ledger', 'audit', 'tracking']

/** Further admin routes that only read. */
const readingRoutes: readonly string[] = [
  'bookings.events',
  'dispatch.decisions',
  'bookings.cancellation',
  'languages.manage',
  'users.phoneCollisions',
  'users.obligations',
  'pushNotifications.reach',
  'users.callers',
  'languages.texts',
  'payments.ofBooking',
  'receipts.show',
  'payments.services',
  'wallet.cash',
  'wallet.adjustments',
  'refunds.ofBooking',
  'refunds.ofPayment',
  'dispatch.candidates',
  'deliveries.imports',
  'deliveries.showImport',
  'alerts.counts',
  'integrations.messages',
  'mailbox.page',
  'alerts.mail',
  'integrations.maps',
]

/**
 * Commands that change no record. A dispatcher's hold on a booking lasts for seconds, and the mail that an admin wants is
 * their own preference.
 */
export const sideEffectFreeRoutes: readonly string[] = [
  'integrations.test',
  'integrations.testMaps',
  'ledger.check',
  'receipts.mail',
  'dispatch.hold',
  'dispatch.release',
  'bookings.quoteChange',
  'alerts.setMail',
  // The alarm's timeline has it.
  'safety.seen',
]

/** The roles whose commands are audited. */
const backOffice: readonly Role[] = ['admin', 'fleetadmin']

function isBackOffice(rule: RouteRule): boolean {
  const allowed: readonly string[] =
    'who' in rule ? [rule.who].flat() : 'booking' in rule ? rule.booking : rule.user
  return backOffice.some((role) => allowed.includes(role))
}

/** The verb: the last part of a route's name. */
export function verbOf(route: string): string {
  return route.slice(route.lastIndexOf('.') + 1)
}

function isReading(route: string): boolean {
  const noun = route.slice(0, route.indexOf('.'))
  return readingNouns.includes(noun) || readingVerbs.includes(verbOf(route)) || readingRoutes.includes(route)
}

/** The audited commands: each leaves a row in the audit log when given by an admin or fleet admin. */
export const auditedRoutes: readonly RouteName[] = (Object.keys(routes) as RouteName[]).filter(
  (name) =>
    name === 'setup.create' ||
    (isBackOffice(routes[name]) && !isReading(name) && !sideEffectFreeRoutes.includes(name)),
)
