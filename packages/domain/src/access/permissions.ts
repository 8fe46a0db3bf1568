import { assignedStatuses, type BookingStatus, trackedStatuses } from '../bookings/status.ts'
import type { Role } from '../users/roles.ts'
import { type Actor, type BookingParties, type Relation, relationTo } from './relation.ts'

/** Who may perform an action: everyone, these user types, or these relations to the booking (in these statuses). */
type Rule =
  | { who: 'everyone' }
  | { roles: readonly Role[] }
  | { relations: readonly Relation[]; in?: readonly BookingStatus[] }

const everyRole: readonly Role[] = ['rider', 'driver', 'fleetadmin', 'admin']
const everyRelation: readonly Relation[] = ['rider', 'driver', 'requested', 'fleetadmin', 'admin']

/** The permission policy, one line per action. Commands on bookings are in the state machine's table instead. */
export const permissions = {
  'booking.create': { roles: ['rider', 'admin'] },
  'booking.list': { roles: everyRole },
  'booking.see': { relations: everyRelation },
  'booking.track': { relations: ['rider', 'driver', 'fleetadmin', 'admin'], in: trackedStatuses },
  'booking.path': { relations: ['rider', 'driver', 'fleetadmin', 'admin'] },
  'booking.events': { relations: ['fleetadmin', 'admin'] },
  'position.report': { roles: ['driver'] },
  'topic.settings': { who: 'everyone' },
  'topic.carTypes': { who: 'everyone' },
  'topic.cancelReasons': { who: 'everyone' },
  'topic.user': { roles: everyRole },
  'topic.notifications': { roles: everyRole },
  'topic.bookings': { roles: everyRole },
  'topic.requests': { roles: ['driver'] },
  'topic.booking': { relations: everyRelation },
  'topic.safety': { relations: ['rider', 'driver'] },
  'topic.fleet': { roles: ['fleetadmin', 'admin'] },
  'topic.dispatch': { roles: ['admin'] },
  'topic.office': { roles: ['fleetadmin', 'admin'] },
  // A booking that never had a driver has no conversation.
  'topic.chat': { relations: ['rider', 'driver'], in: assignedStatuses },
  'topic.tracking': { relations: ['rider', 'driver', 'fleetadmin', 'admin'] },
} as const satisfies Record<string, Rule>

export type Action = keyof typeof permissions

/**
 * True when the actor may perform the action. Actions on one booking need the booking; without it, and for a visitor
 * (null), only actions open to everyone are allowed.
 */
export function can(
  actor: Actor | null,
  action: Action,
  booking?: BookingParties & { status: BookingStatus },
): boolean {
  const rule: Rule = permissions[action]
  if ('who' in rule) return true
  if (!actor) return false
  if ('roles' in rule) return rule.roles.includes(actor.role)
  const relation = booking ? relationTo(booking, actor) : null
  if (!booking || !relation || !rule.relations.includes(relation)) return false
  return rule.in === undefined || rule.in.includes(booking.status)
}
