import type { ActorRole, Role } from '../users/roles.ts'

/** A signed-in user who asks for something. */
export interface Actor {
  id: string
  role: Role
  /** Users whose approval is pending or withdrawn may do little. */
  approved: boolean
}

/** The relations of an actor to a booking. */
export const relations = ['rider', 'driver', 'requested', 'fleetadmin', 'admin'] as const
export type Relation = (typeof relations)[number]

/** The people of a booking, and the drivers asked for it now. */
export interface BookingParties {
  customer: string
  driver: string | null
  fleetadmin: string | null
  requested: readonly string[]
}

/** An actor's relation to a booking, or null: to a stranger the booking does not exist. */
export function relationTo(booking: BookingParties, actor: Actor | null): Relation | null {
  if (!actor) return null
  switch (actor.role) {
    case 'admin':
      return 'admin'
    case 'fleetadmin':
      return booking.fleetadmin === actor.id ? 'fleetadmin' : null
    case 'rider':
      return booking.customer === actor.id ? 'rider' : null
    case 'driver':
      if (booking.driver === actor.id) return 'driver'
      return booking.requested.includes(actor.id) ? 'requested' : null
  }
}

/** The actor a relation gives commands as. */
export function actorOf(relation: Relation): ActorRole {
  return relation === 'requested' ? 'driver' : relation
}

/** The relations of an actor to a user's record. */
export const userRelations = ['self', 'fleetadmin', 'admin'] as const
export type UserRelation = (typeof userRelations)[number]

/** The owner of a record, with the fields that decide who sees it. */
interface UserOwner {
  id: string
  usertype: Role
  /** The fleet admin this driver belongs to. */
  fleetadmin: string | null
}

/**
 * An actor's relation to a user in the admin view, or null: to a stranger the user does not exist. Users see and change
 * their own record by other routes, so an admin is an admin to themselves, too.
 */
export function userRelationTo(owner: UserOwner, actor: Actor | null): UserRelation | null {
  if (!actor) return null
  if (actor.role === 'admin') return 'admin'
  if (actor.role === 'fleetadmin' && owner.usertype === 'driver' && owner.fleetadmin === actor.id) {
    return 'fleetadmin'
  }
  return owner.id === actor.id ? 'self' : null
}
