import type { UserView } from '@hansom/contract/users'
import type { Person } from '@hansom/domain/access/relation'
import { mostSearchLetters } from '@hansom/domain/access/shown-contacts'
import { userRelationTo } from '@hansom/domain/access/user-relation'
import { Refusal } from '@hansom/domain/error-keys'
import { id as uuid } from '@hansom/contract/shapes'
import type { Role } from '@hansom/domain/users/roles'
import { and, desc, eq, getTableColumns, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Queries } from '../../platform/database/transaction.ts'
import { carTypesTable } from '../car-types/table.ts'
import { authUsersTable } from '../identity/table.ts'
import { usersTable } from '../users/table.ts'
import { type PersonRow, personView, type Shown } from './person-view.ts'

export interface PeopleQuery {
  usertype?: Role | undefined
  approved?: boolean | undefined
  q?: string | undefined
  cursor?: string | undefined
  limit: number
}

const fleet = alias(usersTable, 'fleet')

function people(queries: Queries) {
  return queries
    .select({
      user: getTableColumns(usersTable),
      carType: carTypesTable.name,
      fleetadmin_name: sql<
        string | null
      >`nullif(trim(concat(${fleet.firstName}, ' ', ${fleet.lastName})), '')`,
      emailVerified: sql<boolean>`coalesce(${authUsersTable.emailVerified}, true)`,
    })
    .from(usersTable)
    .leftJoin(carTypesTable, eq(carTypesTable.id, usersTable.car_type_id))
    .leftJoin(fleet, eq(fleet.id, usersTable.fleetadmin))
    .leftJoin(authUsersTable, eq(authUsersTable.id, usersTable.id))
    .$dynamic()
}

/** One person as the viewer sees him. Throws not_found for a stranger as for somebody who does not exist. */
export async function readPerson(
  queries: Queries,
  viewer: Person,
  id: string,
  shown: Shown,
): Promise<UserView> {
  const [row] = await people(queries).where(and(eq(usersTable.id, id), isNull(usersTable.deleted_at)))
  const view = row && viewOf(row, viewer, shown)
  if (!view) throw new Refusal('not_found')
  return view
}

/** A page of people, newest first: for an admin all of a user type (without one: all but admins), for a fleet admin the own drivers. */
export async function listPeople(
  queries: Queries,
  viewer: Person,
  query: PeopleQuery,
  shown: Shown,
): Promise<{ items: UserView[]; next: string | null }> {
  const { usertype, approved, cursor, limit } = query
  if (cursor !== undefined && !uuid.safeParse(cursor).success) {
    throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
  }
  const rows = await people(queries)
    .where(
      and(
        isNull(usersTable.deleted_at),
        viewer.usertype === 'admin'
          ? undefined
          : and(eq(usersTable.fleetadmin, viewer.id), eq(usersTable.usertype, 'driver')),
        usertype === undefined ? ne(usersTable.usertype, 'admin') : eq(usersTable.usertype, usertype),
        approved === undefined ? undefined : eq(usersTable.approved, approved),
        cursor === undefined ? undefined : lt(usersTable.id, cursor),
        ...matches(query.q ?? '', shown.hidesContacts),
      ),
    )
    .orderBy(desc(usersTable.id))
    .limit(limit + 1)
  const items = rows.slice(0, limit).flatMap((row) => viewOf(row, viewer, shown) ?? [])
  return { items, next: rows.length > limit ? (rows[limit - 1]?.user.id ?? null) : null }
}

function viewOf(row: PersonRow, viewer: Person, shown: Shown): UserView | null {
  const relation = userRelationTo(row.user, viewer)
  return relation === null ? null : personView(row, relation, shown)
}

const { firstName, lastName, email, mobile, vehicleNumber } = usersTable
// The expression of the index users_search.
const everything = sql`lower(${firstName} || ' ' || ${lastName} || ' ' || ${email}::text || ' ' || coalesce(${mobile}, '') || ' ' || coalesce(${vehicleNumber}, ''))`
const withoutContacts = sql`lower(${firstName} || ' ' || ${lastName} || ' ' || coalesce(${vehicleNumber}, ''))`

/** Every word must occur. What is hidden cannot be searched for, or it could be guessed letter by letter. */
function matches(text: string, hidesContacts: boolean): SQL[] {
  const words = text.toLowerCase().slice(0, mostSearchLetters).split(/\s+/).filter(Boolean)
  return words.flatMap((word) => {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
    const whole = sql`${everything} like ${pattern}`
    return hidesContacts ? [whole, sql`${withoutContacts} like ${pattern}`] : [whole]
  })
}
