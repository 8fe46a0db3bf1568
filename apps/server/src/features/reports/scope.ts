import type { Actor } from '@hansom/domain/access/relation'

/** The scope of all trips; every other scope is a fleet admin's ID. */
export const allTrips = '00000000-0000-0000-0000-000000000000'
/** The scope of no trips: no fleet admin has this ID. */
const noTrip = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The trips that a person's report covers: for an admin, the requested fleet or all; for a fleet admin, their own
 * fleet, or none if they request a different one.
 */
export function scopeOf(person: Actor, fleet: string | null = null): string {
  if (person.role === 'admin') return fleet ?? allTrips
  return fleet === null || fleet === person.id ? person.id : noTrip
}
