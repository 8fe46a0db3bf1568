import type { PlainScreenPath } from '../access/screens.ts'
import type { Role } from '../users/roles.ts'

interface AlertRule {
  /** Who is alerted; a fleet admin only of their own drivers and trips. */
  roles: readonly Role[]
  /** The page that lists the open matters, with the filters of its table. */
  screen: PlainScreenPath
  search: Readonly<Record<string, string>>
}

const admin: readonly Role[] = ['admin']
const backOffice: readonly Role[] = ['admin', 'fleetadmin']

/** The matters that wait for an admin, in the order of the to-do list. An open one is counted until it is settled. */
export const alerts = {
  /** A driver who is neither approved nor rejected. */
  driver_waiting: { roles: backOffice, screen: '/drivers', search: { approval: 'waiting' } },
  /** An undecided withdrawal. */
  withdrawal: { roles: admin, screen: '/withdraws', search: { state: 'open' } },
  /** A booking that no driver took in the last day, and whose rider has not booked since. */
  no_driver: { roles: admin, screen: '/bookings', search: { outcome: 'no_driver' } },
  /** A card payment whose report differs, or one that failed in the last day and left its booking unpaid. */
  payment: { roles: admin, screen: '/payments', search: { state: 'mismatch,failed' } },
  /** A refund that an admin has to check at the provider. */
  refund: { roles: admin, screen: '/disputes', search: { state: 'by_hand' } },
  /** An undecided objection of a rider to the driver's cash answer. */
  objection: { roles: backOffice, screen: '/bookings', search: { objection: 'open' } },
  /** Parked events of one kind, or permanently failed jobs of one name. */
  failed_work: { roles: admin, screen: '/dashboard', search: {} },
} as const satisfies Record<string, AlertRule>

export type AlertKind = keyof typeof alerts
export const alertKinds = Object.keys(alerts) as [AlertKind, ...AlertKind[]]

/** Counts of open matters stop at this number. */
export const maxAlertCount = 1_000

/** Matters that no longer need anyone after this time, and new ones that are older are counted but not announced, ms. */
export const alertDayMs = 86_400_000

/** The kinds that a role is alerted of. */
export const alertKindsOf = (role: Role): AlertKind[] =>
  alertKinds.filter((kind) => (alerts[kind].roles as readonly Role[]).includes(role))

/** The kind of a notification, whose `screen` names it; null if it is not an alert. */
export const alertKindOf = ({ screen }: { screen: string }): AlertKind | null =>
  alertKinds.find((kind) => kind === screen) ?? null

/** The page that an alert leads to: its booking, or the list of open matters. Null for other notifications. */
export function alertPath({ screen, booking }: { screen: string; booking: string | null }): string | null {
  const kind = alertKindOf({ screen })
  if (kind === null) return null
  if (booking !== null) return `/trip/${booking}`
  const filters = Object.entries(alerts[kind].search).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return [alerts[kind].screen, ...(filters.length > 0 ? [filters.join('&')] : [])].join('?')
}
