import { PeopleTable } from './people-table.tsx'

/** All people of the user type driver. */
export function DriversScreen() {
  return <PeopleTable usertype="driver" />
}
