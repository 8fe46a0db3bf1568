import type { RouteRule } from '../access/route-rule.ts'
import { type RouteName, routes } from '../access/routes.ts'
import type { Role } from '../users/roles.ts'

/** What reads, whatever it is about. */
const readingVerbs = ['list', 'count', 'get', 'table', 'all', 'find']

/** Nouns of which everything reads. */
const readingNouns = ['reports', 'search', 'ledger', 'audit', 'tracking']

/** Routes of the office that read only, besides those. */
const readingRoutes: readonly string[] = [
  'bookings.events',
  'bookings.cancellation',
  'languages.manage',
  'users.phoneCollisions',
  'languages.texts',
  'payments.ofBooking',
  'receipts.show',
  'payments.services',
  'wallet.cash',
  'refunds.ofBooking',
  'refunds.ofPayment',
]

/** Commands that change nothing. */
export const idleRoutes: readonly string[] = ['integrations.test', 'ledger.check', 'receipts.mail']

/** The office in the eyes of the audit log. */
const office: readonly Role[] = ['admin', 'fleetadmin']

function isOffice(rule: RouteRule): boolean {
  const allowed: readonly string[] =
    'who' in rule ? [rule.who].flat() : 'booking' in rule ? rule.booking : rule.user
  return office.some((role) => allowed.includes(role))
}

/** The last part of a route's name: what is done. */
export function verbOf(route: string): string {
  return route.slice(route.lastIndexOf('.') + 1)
}

function isReading(route: string): boolean {
  const noun = route.slice(0, route.indexOf('.'))
  return readingNouns.includes(noun) || readingVerbs.includes(verbOf(route)) || readingRoutes.includes(route)
}

/** The commands of the office: each of them leaves a row in the audit log when an admin or fleet admin gives it. */
export const auditedRoutes: readonly RouteName[] = (Object.keys(routes) as RouteName[]).filter(
  (name) =>
    name === 'setup.create' || (isOffice(routes[name]) && !isReading(name) && !idleRoutes.includes(name)),
)
