import type { Transaction } from '../../platform/database/transaction.ts'
import type { UserRow } from '../users/table.ts'

/** What stands where a person was. */
export const nobody = { first: 'Deleted', last: 'user', name: 'Deleted user' } as const

/**
 * Takes a person out of an account: what remains is a row without a name, on which ledger and bookings stand. E-mail and
 * mobile are free again; ways to sign in, sessions, links, codes, places, notifications and ratings are gone, and so are
 * name, contacts and bank in bookings, withdraw requests, payments, refunds and the audit log. To be called with the row locked for update. Files are removed elsewhere.
 */
export async function anonymise({ client }: Transaction, user: UserRow, now: number): Promise<void> {
  const { id, email, mobile } = user
  const { name } = nobody
  const address = `deleted-${id}@deleted.invalid`

  await client.query(
    `update users set first_name = $2, last_name = $3, email = $4, mobile = null, profile_image = null, approved = false,
      locale = null, signup_via_referral = null, referral_id = 'deleted-' || id, bank_name = null, bank_code = null,
      bank_account = null, fleetadmin = null, push_token = null, user_platform = null, rating_sum = 0, rating_count = 0,
      car_type_id = null, vehicle_make = null, vehicle_model = null, vehicle_number = null, other_info = null,
      license_image = null, driver_active_status = false, queue = false, lat = null, lng = null, bearing = null,
      located_at = null, deleted_at = $5, version = version + 1
    where id = $1`,
    [id, nobody.first, nobody.last, address, now],
  )
  await client.query(
    `update bookings set customer_name = $2, customer_contact = null, customer_email = $3, customer_image = null,
      feedback = null where customer = $1`,
    [id, name, address],
  )
  await client.query(
    `update bookings set driver_name = $2, driver_contact = null, driver_image = null, vehicle_number = null
      where driver = $1`,
    [id, name],
  )
  await client.query(
    `update user_notifications set params = params || jsonb_build_object('driver_name', $2::text)
      where params ? 'driver_name' and booking_id in (select id from bookings where driver = $1)`,
    [id, name],
  )
  // Answers that were kept for repeated commands show bookings as they were.
  await client.query(
    `delete from idempotency_keys where split_part(scope, '|', 1) = ($1::uuid)::text
      or result_id in (select id from bookings where customer = $1 or driver = $1)`,
    [id],
  )
  for (const [table, column] of personal) {
    await client.query(`delete from ${table} where ${column} = $1`, [id])
  }
  await client.query('delete from auth_verifications where identifier in ($1, $2) or value like $3', [
    email,
    mobile ?? '',
    `%${id}%`,
  ])
  await client.query(
    `update withdraws set name = $2, bank_name = '', bank_code = '', bank_account = '', reason = null where uid = $1`,
    [id, name],
  )
  // What was sent to and from providers names the payer.
  await client.query(
    `update payment_messages set body = '', query = '' where payment in (select id from payments where payer = $1)`,
    [id],
  )
  await client.query('update refunds set rider_name = $2 where rider = $1', [id, name])
  await client.query('update payments set payer_name = $2, step = null where payer = $1', [id, name])
  // Nobody is left to go on with what was begun. Should it be paid all the same, the provider is asked on.
  await client.query(
    `update payments set state = 'failed', failure = 'given_up', closed = true
      where payer = $1 and state in ('created', 'started')`,
    [id],
  )
  await client.query('select forget_in_audit($1, $2)', [id, name])
  await client.query('delete from outbox_messages where "to" in ($1, $2)', [email, mobile ?? email])
}

/** Rows that are about the person alone. The way to sign in takes sessions and accounts along. */
const personal = [
  ['auth_users', 'id'],
  ['auth_links', 'user_id'],
  ['auth_codes', 'user_id'],
  ['saved_addresses', 'user_id'],
  ['user_notifications', 'user_id'],
  ['user_ratings', 'user_id'],
] as const
