import { PeopleTable } from './people-table.tsx'

/** All users of the type rider. */
export function RidersScreen() {
  return <PeopleTable usertype="rider" />
}

/** All users of the type driver. */
export function DriversScreen() {
  return <PeopleTable usertype="driver" />
}

/** All users of the type fleetadmin. */
export function FleetadminsScreen() {
  return <PeopleTable usertype="fleetadmin" />
}

/** All users of the type admin. */
export function AdminsScreen() {
  return <PeopleTable usertype="admin" />
}
