import { UsersTable } from './users-table.tsx'

/** All users of the type rider. */
export function RidersScreen() {
  return <UsersTable usertype="rider" />
}

/** All users of the type driver. */
export function DriversScreen() {
  return <UsersTable usertype="driver" />
}

/** All users of the type fleetadmin. */
export function FleetadminsScreen() {
  return <UsersTable usertype="fleetadmin" />
}

/** All users of the type admin. */
export function AdminsScreen() {
  return <UsersTable usertype="admin" />
}
