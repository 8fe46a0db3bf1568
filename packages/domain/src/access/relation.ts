import type { Actor, Role } from '../users/roles.ts'

/** A signed-in user. */
export interface Person {
  id: string
  usertype: Role
}

/** The relations of a person to a booking. */
export const relations = ['rider', 'driver', 'requested', 'fleetadmin', 'admin'] as const
export type Relation = (typeof relations)[number]

/** The people of a booking, and the drivers asked for it now. */
export interface BookingPeople {
  customer: string
  driver: string | null
  fleetadmin: string | null
  requested: readonly string[]
}

/** A person's relation to a booking, or null: to a stranger the booking does not exist. */
export function relationTo(booking: BookingPeople, person: Person | null): Relation | null {
  if (!person) return null
  switch (person.usertype) {
    case 'admin':
      return 'admin'
    case 'fleetadmin':
      return booking.fleetadmin === person.id ? 'fleetadmin' : null
    case 'rider':
      return booking.customer === person.id ? 'rider' : null
    case 'driver':
      if (booking.driver === person.id) return 'driver'
      return booking.requested.includes(person.id) ? 'requested' : null
  }
}

/** The actor a relation gives commands as. */
export function actorOf(relation: Relation): Actor {
  return relation === 'requested' ? 'driver' : relation
}
