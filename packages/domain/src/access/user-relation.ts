import type { Role } from '../users/roles.ts'
import type { Actor } from './relation.ts'

/** The relations of a person to a user's record. */
export const userRelations = ['self', 'fleetadmin', 'admin'] as const
export type UserRelation = (typeof userRelations)[number]

/** The owner of a record, with the fields that decide who sees it. */
export interface UserOwner {
  id: string
  usertype: Role
  /** The fleet admin this driver belongs to. */
  fleetadmin: string | null
}

/**
 * A person's relation to a user in the admin view, or null: to a stranger the user does not exist. Users see and change
 * their own record by other routes, so an admin is an admin to themselves, too.
 */
export function userRelationTo(owner: UserOwner, person: Actor | null): UserRelation | null {
  if (!person) return null
  if (person.role === 'admin') return 'admin'
  if (person.role === 'fleetadmin' && owner.usertype === 'driver' && owner.fleetadmin === person.id) {
    return 'fleetadmin'
  }
  return owner.id === person.id ? 'self' : null
}
