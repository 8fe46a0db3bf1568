import type { Transaction } from '../../../platform/database/transaction.ts'
import type { UserRow } from '../table.ts'

/** Placeholder name of a deleted user. */
export const deletedUser = { first: 'Deleted', last: 'user', name: 'Deleted user' } as const

/**
 * Removes a user from their account immediately: signed out, hidden, without name, contacts, location and sign-in
 * methods; email and mobile are free again. An anonymised row remains, which ledger and bookings still reference.
 * `eraseAccount` later removes copies of the name in bookings and other records; files are removed elsewhere. Call it
 * with the row locked for update; it changes a bounded number of rows.
 */
export async function anonymise({ client }: Transaction, user: UserRow, now: number): Promise<void> {
  const { id, email, mobile } = user
  await client.query(
    `update users set first_name = $2, last_name = $3, email = $4, mobile = null, mobile_verified_at = null, profile_image = null, approved = false,
      locale = null, signup_via_referral = null, referral_id = 'deleted-' || id, bank_name = null, bank_code = null,
      bank_account = null, fleetadmin = null, push_token = null, user_platform = null, rating_sum = 0, rating_count = 0,
      car_type_id = null, vehicle_make = null, vehicle_model = null, vehicle_number = null, other_info = null,
      license_image = null, driver_active_status = false, queue = false, lat = null, lng = null, bearing = null,
      located_at = null, deleted_at = $5, version = version + 1
    where id = $1`,
    [id, deletedUser.first, deletedUser.last, deletedEmail(id), now],
  )
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

/** Small tables with rows about the user only. Deleting the sign-in cascades to sessions and accounts. */
const personal = [
  ['auth_users', 'id'],
  ['auth_links', 'user_id'],
  ['auth_codes', 'user_id'],
  ['phone_collisions', 'user_id'],
  ['saved_addresses', 'user_id'],
] as const
