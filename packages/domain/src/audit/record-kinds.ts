import { type Role, roles } from '../users/roles.ts'

interface KindOfRecord {
  /** The noun of the routes that change such a record. */
  noun: string
  /** Its back-office table that is notified of changes while open; a user's depends on the user type. */
  table: string | null
}

/** The kinds of records in the audit log. */
const kinds = {
  user: { noun: 'users', table: null },
  booking: { noun: 'bookings', table: null },
  car_type: { noun: 'carTypes', table: 'carTypes' },
  promo: { noun: 'promos', table: 'promos' },
  cancel_reason: { noun: 'cancelReasons', table: 'cancelReasons' },
  dispatch_rule: { noun: 'dispatchRules', table: 'dispatchRules' },
  notification: { noun: 'pushNotifications', table: 'notifications' },
  language: { noun: 'languages', table: null },
  settings: { noun: 'settings', table: null },
  withdraw: { noun: 'withdraws', table: 'withdraws' },
  wallet: { noun: 'wallet', table: null },
  refund: { noun: 'refunds', table: 'refunds' },
  delivery: { noun: 'deliveries', table: null },
  safety: { noun: 'safety', table: 'safety' },
  failed_work: { noun: 'failedWork', table: null },
} as const satisfies Record<string, KindOfRecord>

export type AuditKind = keyof typeof kinds
export const auditKinds = Object.keys(kinds) as [AuditKind, ...AuditKind[]]

/** The kind of record that a route changes; null for routes of other nouns. */
export function kindOfRoute(route: string): AuditKind | null {
  const noun = route.slice(0, route.indexOf('.'))
  if (noun === 'tripLinks' || noun === 'chats') return 'booking'
  return noun === 'setup' ? 'user' : (auditKinds.find((kind) => kinds[kind].noun === noun) ?? null)
}

/** The table that lists users of a type. */
export const tableOfRole = {
  rider: 'riders',
  driver: 'drivers',
  fleetadmin: 'fleetadmins',
  admin: 'admins',
} as const satisfies Record<Role, string>

/**
 * The back-office tables that are notified of changes while open, and the counts of alerts. The ledger, card payments and
 * earnings are excluded: every trip changes them.
 */
export type WatchedTable =
  | (typeof tableOfRole)[Role]
  | NonNullable<(typeof kinds)[AuditKind]['table']>
  | 'audit'
  | 'alerts'
export const watchedTables: readonly WatchedTable[] = [
  ...roles.map((role) => tableOfRole[role]),
  ...auditKinds.flatMap((kind) => kinds[kind].table ?? []),
  'audit',
  'alerts',
]

/** The tables affected by an audit log entry of this kind. */
export function tablesOfKind(kind: AuditKind): WatchedTable[] {
  const { table } = kinds[kind]
  return table === null ? ['audit'] : ['audit', table]
}
