import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { type UserRow, usersTable } from '../table.ts'

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
