import type { ErrorKey } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'
import type { Role } from '../users/roles.ts'
import type { Actor, Relation, UserRelation } from './relation.ts'
/**
 * Who may call a route. `who` names everyone, all signed-in users (including unapproved ones), or user types; `booking`
 * and `user` name the required relation to the booking or user in the path. A forbidden subject gets the same response
 * as a missing one.
 */
export type RouteRule = {
  /** The path must name something the caller owns; anything else does not exist for them. */
  own?: true
  /** Open to users who wait for approval, too. */
  waiting?: true
  /** Error key for signed-out callers instead of not_logged_in. */
  signedOut?: ErrorKey
  /** Error key by user type instead of not_found. */
  others?: Partial<Record<Role, ErrorKey>>
  /** A critical edit: refused while settings.AllowCriticalEditsAdmin is off. */
  critical?: true
} & (
  | { who: 'everyone' | 'signed in' | readonly Role[] }
  | { booking: readonly Relation[] }
  | { user: readonly UserRelation[] }
)

const typeOf: Record<Relation | UserRelation, Role | null> = {
  rider: 'rider',
  driver: 'driver',
  requested: 'driver',
  fleetadmin: 'fleetadmin',
  admin: 'admin',
  self: null,
}

/** The refusal that does not depend on the subject of the call, checked before input validation. Null: continue. */
export function refusalBeforeInput(rule: RouteRule, caller: Actor | null): ErrorKey | null {
  if ('who' in rule && rule.who === 'everyone') return null
  if (caller === null) return rule.signedOut ?? 'not_logged_in'
  if ('who' in rule && rule.who === 'signed in') return null
  if (!caller.approved && !rule.waiting) return 'require_approval'
  if (allowedTypes(rule).includes(caller.role)) return null
  // A special error key comes later, from the check that knows the relation.
  return rule.others?.[caller.role] === undefined ? 'not_found' : null
}

/** The refusal while a demo blocks critical edits. Checked after permission. */
export function refusalOnDemo(
  { critical }: RouteRule,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'>,
): ErrorKey | null {
  return critical && !settings.AllowCriticalEditsAdmin ? 'demo_mode' : null
}

function allowedTypes(rule: RouteRule): readonly Role[] {
  if ('who' in rule) return typeof rule.who === 'string' ? everyType : rule.who
  const relations: readonly (Relation | UserRelation)[] = 'booking' in rule ? rule.booking : rule.user
  return everyType.filter((type) => relations.some((relation) => (typeOf[relation] ?? type) === type))
}

const everyType: readonly Role[] = ['rider', 'driver', 'fleetadmin', 'admin']

/**
 * The complete check of a rule: null when a caller with this `relation` to the subject may continue, otherwise the
 * refusal. `relation` is null for a stranger.
 */
export function routeRefusal(
  rule: RouteRule,
  caller: Actor | null,
  relation: Relation | UserRelation | null,
): ErrorKey | null {
  const early = refusalBeforeInput(rule, caller)
  if (early !== null || caller === null) return early
  const isOther =
    'who' in rule
      ? (Array.isArray(rule.who) && !rule.who.includes(caller.role)) || (rule.own && relation !== 'self')
      : relation === null || !(Object.values(rule).flat() as unknown[]).includes(relation)
  return isOther ? (rule.others?.[caller.role] ?? 'not_found') : null
}
