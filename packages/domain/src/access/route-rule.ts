import type { ErrorKey } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'
import type { Role } from '../users/roles.ts'
import type { Person, Relation } from './relation.ts'
import type { UserRelation } from './user-relation.ts'

/** Somebody who is signed in, and whether that person was let in. */
export interface Caller extends Person {
  approved: boolean
}

/**
 * Who may take a route. `who` names everyone, all who are signed in (also those who wait for approval), or user
 * types; `booking` and `user` name what somebody has to be to the booking or person that the path names. What is
 * forbidden is answered like what does not exist.
 */
export type RouteRule = {
  /** What the path names has to be one's own: what is not, does not exist. */
  own?: true
  /** People who wait for approval may take it too. */
  waiting?: true
  /** Another key than not_logged_in for those who are signed out. */
  signedOut?: ErrorKey
  /** Another key than not_found for people who are something else, by user type. */
  others?: Partial<Record<Role, ErrorKey>>
  /** A critical edit: refused to whoever may take the route while settings.AllowCriticalEditsAdmin is off. */
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

/** Why somebody cannot take a route, whatever it is about: what is said before the input is looked at. Null: go on. */
export function refusalAtTheDoor(rule: RouteRule, caller: Caller | null): ErrorKey | null {
  if ('who' in rule && rule.who === 'everyone') return null
  if (caller === null) return rule.signedOut ?? 'not_logged_in'
  if ('who' in rule && rule.who === 'signed in') return null
  if (!caller.approved && !rule.waiting) return 'require_approval'
  if (allowedTypes(rule).includes(caller.usertype)) return null
  // A key of its own comes from the rule that knows more.
  return rule.others?.[caller.usertype] === undefined ? 'not_found' : null
}

/** Whether the mode for demonstrations refuses what a rule would allow. To be asked after permission. */
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
 * The whole answer of a rule: null when somebody who is `relation` to what the path names may go on, otherwise the
 * refusal. `relation` is null for a stranger.
 */
export function routeRefusal(
  rule: RouteRule,
  caller: Caller | null,
  relation: Relation | UserRelation | null,
): ErrorKey | null {
  const atTheDoor = refusalAtTheDoor(rule, caller)
  if (atTheDoor !== null || caller === null) return atTheDoor
  const isOther =
    'who' in rule
      ? (Array.isArray(rule.who) && !rule.who.includes(caller.usertype)) || (rule.own && relation !== 'self')
      : relation === null || !(Object.values(rule).flat() as unknown[]).includes(relation)
  return isOther ? (rule.others?.[caller.usertype] ?? 'not_found') : null
}
