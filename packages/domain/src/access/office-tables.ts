import type { AuditKind } from '../audit/kinds.ts'
import type { Role } from '../users/roles.ts'

/**
 * The tables of the office that are told, while they are open, that there is news for them. Those of the ledger, of card
 * payments and of earnings are not among them: every trip would be news.
 */
export const officeTables = [
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
export type OfficeTable = (typeof officeTables)[number]

/** The table in which people of a user type stand. */
export const tableOfPeople: Readonly<Record<Role, OfficeTable>> = {
  rider: 'riders',
  driver: 'drivers',
  fleetadmin: 'fleetadmins',
  admin: 'admins',
}

/** The table that shows what a change in the audit log is about; of people it depends on who they are. */
const tableOfKind: Readonly<Partial<Record<AuditKind, OfficeTable>>> = {
  withdraw: 'withdraws',
  car_type: 'carTypes',
  promo: 'promos',
  cancel_reason: 'cancelReasons',
  notification: 'notifications',
  refund: 'refunds',
}

/** The tables for which a change in the audit log is news. */
export function tablesOfKind(kind: AuditKind): OfficeTable[] {
  const table = tableOfKind[kind]
  return table === undefined ? ['audit'] : ['audit', table]
}
