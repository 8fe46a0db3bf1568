import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import type { Queries, Transaction } from '../../../platform/database/transaction.ts'
import type { SessionActor } from '../../../platform/http/request-context.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { authSessionsTable } from '../../accounts/table.ts'
import { type UserRow, usersTable } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'
import { leaveFleet, lockOwn, lockPerson } from './lock-person.ts'
import { refusePendingObligations } from './pending-obligations.ts'

export interface Removal {
  outbox: Pick<Outbox, 'write'>
  now: number
  /** Schedules, in the transaction, the removal of the user's files and of every copy of the name. */
  erase(tx: Transaction, uid: string): Promise<void>
}

/**
 * Deletes a user's account for an admin. Throws last_admin, open_booking, unpaid_booking, open_withdrawal,
 * open_payment, open_debt.
 */
export async function removePerson(
  tx: Transaction,
  removal: Removal,
  viewer: Actor,
  id: string,
): Promise<void> {
  const { user, isLastAdmin } = await lockPerson(tx, viewer, id)
  await remove(tx, removal, user, isLastAdmin)
  const { usertype, approved, createdByAdmin } = user
  await writeAudit(tx, {
    by: viewer.id,
    at: removal.now,
    action: 'users.remove',
    kind: 'user',
    subject: id,
    label: deletedUser.name,
    before: { usertype, approved, createdByAdmin },
    after: null,
  })
}

/** Deletes the user's own account. Throws the same errors. */
export async function removeOwn(tx: Transaction, removal: Removal, uid: string): Promise<void> {
  const { user, isLastAdmin } = await lockOwn(tx, uid)
  await remove(tx, removal, user, isLastAdmin)
}

async function remove(
  tx: Transaction,
  { outbox: news, now, erase }: Removal,
  user: UserRow,
  isLastAdmin: boolean,
): Promise<void> {
  if (isLastAdmin) throw new Refusal('last_admin')
  await refusePendingObligations(tx, user.id)
  if (user.usertype === 'fleetadmin') await leaveFleet(tx, news, user.id)
  await anonymise(tx, user, now)
  await erase(tx, user.id)
  await news.write(tx, [userChangedEvent(user.id, true)])
}

/** Placeholder name of a deleted user. */
export const deletedUser = { first: 'Deleted', last: 'user', name: 'Deleted user' } as const

/**
 * Removes a user from their account immediately: signed out, hidden, without name, contacts, location and sign-in
 * methods; email and mobile are free again. An anonymised row remains, which ledger and bookings still reference.
 * `eraseAccount` later removes copies of the name in bookings and other records; files are removed elsewhere. Call it
 * with the row locked for update; it changes a bounded number of rows.
 */
export async function anonymise({ client, db }: Transaction, user: UserRow, now: number): Promise<void> {
  const { id, email, mobile } = user
  await db
    .update(usersTable)
    .set({
      ...emptied,
      firstName: deletedUser.first,
      lastName: deletedUser.last,
      email: deletedEmail(id),
      referralId: `deleted-${id}`,
      approved: false,
      rating_sum: 0,
      rating_count: 0,
      driverActiveStatus: false,
      queue: false,
      deleted_at: now,
      version: sql`${usersTable.version} + 1`,
    })
    .where(eq(usersTable.id, id))
  for (const [table, column] of personal) {
    await client.query(`delete from ${table} where ${column} = $1`, [id])
  }
  await client.query('delete from auth_verifications where identifier in ($1, $2) or value like $3', [
    email,
    mobile ?? '',
    `%${id}%`,
  ])
  // Gives up payments in progress. If one is paid anyway, the provider is still polled.
  await client.query(
    `update payments set state = 'failed', failure = 'given_up', closed = true
      where payer = $1 and state in ('created', 'started')`,
    [id],
  )
  await client.query('delete from outbox_messages where "to" in ($1, $2)', [email, mobile ?? email])
}

/** Returns the placeholder email of a deleted user. */
export const deletedEmail = (id: string) => `deleted-${id}@deleted.invalid`

/** Every optional column without its value. */
const emptied = Object.fromEntries(
  Object.entries(getTableColumns(usersTable)).flatMap(([name, { notNull }]) =>
    notNull ? [] : [[name, null]],
  ),
)

/** Small tables with rows about the user only. Deleting the sign-in cascades to sessions and accounts. */
const personal = [
  ['auth_users', 'id'],
  ['auth_links', 'user_id'],
  ['auth_codes', 'user_id'],
  ['phone_collisions', 'user_id'],
  ['saved_addresses', 'user_id'],
] as const

/** A session this young needs no password for irreversible commands. */
const freshMinutes = 10

/** Whether the session was opened within the last ten minutes, by the database's clock. */
export async function isFresh(queries: Queries, { id, sessionId }: SessionActor): Promise<boolean> {
  const [session] = await queries
    .select({ id: authSessionsTable.id })
    .from(authSessionsTable)
    .where(
      and(
        eq(authSessionsTable.id, sessionId),
        eq(authSessionsTable.userId, id),
        sql`${authSessionsTable.createdAt} > now() - make_interval(mins => ${freshMinutes})`,
      ),
    )
  return session !== undefined
}

/** Throws password_needed unless the password is correct or, without one, the session is fresh. */
export async function reauthenticate(
  queries: Queries,
  viewer: SessionActor,
  password: string | undefined,
  isPassword: (uid: string, password: string) => Promise<boolean>,
): Promise<void> {
  const isThere =
    password === undefined ? await isFresh(queries, viewer) : await isPassword(viewer.id, password)
  if (!isThere) throw new Refusal('password_needed')
}
