import type { Role } from '../users/roles.ts'
import type { Person } from './relation.ts'

/** What a person is to another person's record. */
export const userRelations = ['self', 'fleetadmin', 'admin'] as const
export type UserRelation = (typeof userRelations)[number]

/** Whose record it is, as far as that decides who sees it. */
export interface UserOwner {
  id: string
  usertype: Role
  /** The fleet admin whose driver this is. */
  fleetadmin: string | null
}

/**
 * What somebody is to the office's view of a person, or null: for a stranger the person does not exist. One's own
 * record is seen and changed by other ways, so to oneself an admin is an admin.
 */
export function userRelationTo(owner: UserOwner, person: Person | null): UserRelation | null {
  if (!person) return null
  if (person.usertype === 'admin') return 'admin'
  if (person.usertype === 'fleetadmin' && owner.usertype === 'driver' && owner.fleetadmin === person.id) {
    return 'fleetadmin'
  }
  return owner.id === person.id ? 'self' : null
}
