import type { Role } from '@hansom/domain/users/roles'

/** Texts of the four tables of people, one a user type. */
export const peopleKinds = {
  rider: { title: 'people.riders', add: 'people.add_rider', empty: 'people.no_riders' },
  driver: { title: 'people.drivers', add: 'people.add_driver', empty: 'people.no_drivers' },
  fleetadmin: { title: 'people.fleetadmins', add: 'people.add_fleetadmin', empty: 'people.no_fleetadmins' },
  admin: { title: 'people.admins', add: 'people.add_admin', empty: 'people.no_admins' },
} as const satisfies Record<Role, { title: string; add: string; empty: string }>
