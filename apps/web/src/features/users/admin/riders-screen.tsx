import { PeopleTable } from './people-table.tsx'

/** All people of the user type rider. */
export function RidersScreen() {
  return <PeopleTable usertype="rider" />
}
