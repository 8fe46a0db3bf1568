import { type Role, roles } from '../users/roles.ts'

/** The kinds of records in the audit log, each with its back-office table; a user's depends on the user type. */
const tableOfKind = {
  user: null,
  booking: null,
  car_type: 'carTypes',
  promo: 'promos',
  cancel_reason: 'cancelReasons',
  notification: 'notifications',
  language: null,
  settings: null,
  withdraw: 'withdraws',
  wallet: null,
  refund: 'refunds',
  failed_work: null,
} as const

export type AuditKind = keyof typeof tableOfKind
export const auditKinds = Object.keys(tableOfKind) as [AuditKind, ...AuditKind[]]

/** The table that lists users of a type. */
export const tableOfRole = {
  rider: 'riders',
  driver: 'drivers',
  fleetadmin: 'fleetadmins',
  admin: 'admins',
} as const satisfies Record<Role, string>

/**
 * The back-office tables that are notified of changes while open. The ledger, card payments and earnings are excluded:
 * every trip changes them.
 */
export type WatchedTable = (typeof tableOfRole)[Role] | NonNullable<(typeof tableOfKind)[AuditKind]> | 'audit'
export const watchedTables: readonly WatchedTable[] = [
  ...roles.map((role) => tableOfRole[role]),
  ...auditKinds.flatMap((kind) => tableOfKind[kind] ?? []),
  'audit',
]

/** The tables affected by an audit log entry of this kind. */
export function tablesOfKind(kind: AuditKind): WatchedTable[] {
  const table = tableOfKind[kind]
  return table === null ? ['audit'] : ['audit', table]
}
