import { PeopleTable } from './people-table.tsx'

/** All people of the user type admin. */
export function AdminsScreen() {
  return <PeopleTable usertype="admin" />
}
