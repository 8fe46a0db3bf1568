import type { Person } from '@hansom/domain/access/relation'

/** The scope of all trips together; every other scope is a fleet admin's id. */
export const everyTrip = '00000000-0000-0000-0000-000000000000'
/** The scope of no trips: no fleet admin has this id. */
const noTrip = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Which trips a person's report is about: those of the fleet that was asked for, or all, for an admin; the own fleet's
 * for a fleet admin, and none when another's was asked for.
 */
export function scopeOf(person: Person, fleet: string | null = null): string {
  if (person.usertype === 'admin') return fleet ?? everyTrip
  return fleet === null || fleet === person.id ? person.id : noTrip
}
