import { PeopleTable } from './people-table.tsx'

/** All people of the user type fleetadmin. */
export function FleetadminsScreen() {
  return <PeopleTable usertype="fleetadmin" />
}
