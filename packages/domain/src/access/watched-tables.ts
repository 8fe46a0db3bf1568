import type { AuditKind } from '../audit/changed-fields.ts'
import type { Role } from '../users/roles.ts'

/**
 * The back-office tables that are notified of changes while open. The ledger, card payments and earnings are excluded:
 * every trip changes them.
 */
export const watchedTables = [
  'riders',
  'drivers',
  'fleetadmins',
  'admins',
  'withdraws',
  'carTypes',
  'promos',
  'cancelReasons',
  'notifications',
  'refunds',
  'audit',
] as const
export type WatchedTable = (typeof watchedTables)[number]

/** The table that lists users of a type. */
export const tableOfRole: Readonly<Record<Role, WatchedTable>> = {
  rider: 'riders',
  driver: 'drivers',
  fleetadmin: 'fleetadmins',
  admin: 'admins',
}

/** The table that shows the subject of an audit log entry; for users it depends on their type. */
const tableOfKind: Readonly<Partial<Record<AuditKind, WatchedTable>>> = {
  withdraw: 'withdraws',
  car_type: 'carTypes',
  promo: 'promos',
  cancel_reason: 'cancelReasons',
  notification: 'notifications',
  refund: 'refunds',
}

/** The tables affected by an audit log entry of this kind. */
export function tablesOfKind(kind: AuditKind): WatchedTable[] {
  const table = tableOfKind[kind]
  return table === undefined ? ['audit'] : ['audit', table]
}
