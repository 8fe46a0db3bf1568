import type { TableCount } from '@hansom/contract/tables'
import type { UserView } from '@hansom/contract/users'
import { usersTableSpec as spec } from '@hansom/contract/users-table'
import type { Actor } from '@hansom/domain/access/relation'
import type { Approval } from '@hansom/domain/users/profile'
import { and, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import { type PagePart, readAll, readCount, readPage } from '../../../platform/tables/read-table.ts'
import type { Table, TableQuery, TableScope } from '../../../platform/tables/table.ts'
import { searchPatterns } from '../../../platform/tables/where.ts'
import { usersTable } from '../table.ts'
import type { ViewOptions } from '../views.ts'
import { readUsers } from './read-users.ts'

/** How users are shown to the actor, with dates in the city's time zone. */
export interface ListOptions extends ViewOptions {
  timezone: string
}

/**
 * Lists a page of users: for an admin all of a user type (without a type: all except admins), for a fleet admin their
 * drivers.
 */
export async function listUsers(
  queries: Queries,
  actor: Actor,
  query: TableQuery,
  listed: ListOptions,
): Promise<{ items: UserView[]; next: string | null }> {
  const scope = scopeOf(actor, query, listed)
  const table = await tableFor(queries, actor, query, listed)
  const { rows, next } = await readPage(table, query, scope, (part) => readIds(queries, part))
  const ids = rows.map(({ id }) => id)
  return { items: await readUsers(queries, actor, ids, listed), next }
}

/** Counts the users, up to 10,000. */
export async function countUsers(
  queries: Queries,
  actor: Actor,
  query: TableQuery,
  listed: ListOptions,
): Promise<TableCount> {
  const table = await tableFor(queries, actor, query, listed)
  return readCount(queries, table, query, scopeOf(actor, query, listed), sql`${usersTable}`)
}

/** Returns all users in batches. */
export async function* allUsers(
  queries: Queries,
  actor: Actor,
  query: TableQuery,
  listed: ListOptions,
): AsyncGenerator<UserView[]> {
  const scope = scopeOf(actor, query, listed)
  const table = await tableFor(queries, actor, query, listed)
  for await (const rows of readAll(table, query, scope, (part) => readIds(queries, part))) {
    yield readUsers(
      queries,
      actor,
      rows.map(({ id }) => id),
      listed,
    )
  }
}

const readIds = (queries: Queries, { where, orderBy, limit, position }: PagePart) =>
  queries.select({ id: usersTable.id, position }).from(usersTable).where(where).orderBy(orderBy).limit(limit)

function scopeOf(actor: Actor, query: TableQuery, { timezone }: ListOptions): TableScope {
  const own =
    actor.role === 'admin'
      ? undefined
      : and(eq(usersTable.fleetadmin, actor.id), eq(usersTable.usertype, 'driver'))
  const usual = query.usertype === undefined ? ne(usersTable.usertype, 'admin') : undefined
  return { where: [isNull(usersTable.deleted_at), own, usual], timezone }
}

const { firstName, lastName, email } = usersTable
// The expression of the index users_by_email.
const emailOrNone = sql`coalesce(${email}, '')`
// The expression of the index users_by_name.
const name = sql`search_fold(${firstName} || ' ' || ${lastName})`

/** Hidden fields can be neither searched nor sorted by, or they could be guessed letter by letter. */
async function tableFor(
  queries: Queries,
  { role }: Actor,
  query: TableQuery,
  { hidesContacts }: ListOptions,
): Promise<Table<typeof spec>> {
  const found = await findRareTermIds(queries, query.q ?? '', hidesContacts)
  const { createdAt, walletBalance, approved, fleetadmin, car_type_id, driverActiveStatus, queue, lat } =
    usersTable
  const isAdmin = role === 'admin'
  return {
    spec,
    columns: {
      id: usersTable.id,
      sorts: {
        createdAt: { sql: createdAt, type: 'int8' },
        name: { sql: name, type: 'text' },
        email: hidesContacts ? null : { sql: emailOrNone, type: 'citext' },
        walletBalance: isAdmin ? { sql: walletBalance, type: 'int8' } : null,
      },
      filters: {
        usertype: usersTable.usertype,
        approved,
        approval: (asked) => or(...asked.map((one) => approvalIs[one])) ?? sql`false`,
        fleetadmin: isAdmin ? fleetadmin : null,
        car_type_id,
        driverActiveStatus: (asked) => isDriverAnd(driverActiveStatus, asked),
        queue: (asked) => isDriverAnd(queue, asked),
        guest: isAdmin ? (asked) => (asked ? isNull(email) : isNotNull(email)) : null,
        located: (asked) => isDriverAnd(sql`(${lat} is not null)`, asked),
        createdAt,
      },
      sums: { walletBalance: isAdmin ? walletBalance : null },
      search: (patterns) =>
        found === null
          ? sql`exists (select from user_search s where s.user_id = ${usersTable.id}
              and ${termsMatch(patterns, hidesContacts)})`
          : sql`${usersTable.id} = any(${sql.param([...found])}::uuid[])`,
    },
  }
}

// The conditions that `approvalOf` decides for one user.
const approvalIs: Record<Approval, SQL> = {
  waiting: sql`(not ${usersTable.approved} and ${usersTable.rejection} is null)`,
  approved: sql`${usersTable.approved}`,
  rejected: sql`(not ${usersTable.approved} and ${usersTable.rejection} is not null)`,
}

// These fields are defined for drivers only.
const isDriverAnd = (
  column: typeof usersTable.queue | typeof usersTable.driverActiveStatus | SQL,
  asked: boolean,
) => sql`${usersTable.usertype} = 'driver' and ${column} = ${sql.raw(String(asked))}`

/** Up to this many matches, filtering by id is faster than matching each row's text. */
const maxRare = 10_000

/**
 * Returns the ids of the users who match all terms when they are few; null without terms, or when they are many.
 * Otherwise a rare term that comes late in the sort order (users called Zulema, by name) would be searched in all rows
 * before it, which the planner cannot know.
 */
async function findRareTermIds(
  queries: Queries,
  words: string,
  hidesContacts: boolean,
): Promise<readonly string[] | null> {
  const patterns = searchPatterns(words)
  if (patterns.length === 0) return null
  const folded = patterns.map((pattern) => sql`search_fold(${pattern}::text)`)
  const { rows } = await queries.execute<{ id: string }>(
    sql`select s.user_id as id from user_search s where ${termsMatch(folded, hidesContacts)} limit ${maxRare + 1}`,
  )
  return rows.length > maxRare ? null : rows.map(({ id }) => id)
}

/** Condition that all patterns match a row `s` of user_search; without contacts where those are hidden. */
function termsMatch(patterns: readonly SQL[], hidesContacts: boolean): SQL {
  const each = patterns.map((pattern) =>
    hidesContacts
      ? sql`s.names like ${pattern}`
      : sql`(s.names like ${pattern} or s.contacts like ${pattern})`,
  )
  return and(...each) ?? sql`true`
}
