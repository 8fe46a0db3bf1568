import type { Person } from '@hansom/domain/access/relation'

/** The scope of all trips together; every other scope is a fleet admin's id. */
export const everyTrip = '00000000-0000-0000-0000-000000000000'

/** Which trips a person's reports are about: all for an admin, the own fleet's for a fleet admin. */
export function scopeOf(person: Person): string {
  return person.usertype === 'fleetadmin' ? person.id : everyTrip
}
