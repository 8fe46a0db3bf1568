import type { PoolClient } from 'pg'
import type { Database } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { deletedEmail, deletedUser } from './remove-person.ts'

type Step = (tx: Transaction, uid: string, limit: number) => Promise<number>

export interface Erasure {
  database: Pick<Database, 'pool' | 'withTransaction'>
  /** Epoch ms, stored as the time of erasure. */
  now(): number
  /** Rows per transaction: few enough for the statement timeout and for concurrent transactions. */
  batch?: number
  /** Checked between two batches. */
  isOver?(): boolean
}

/**
 * Removes the copies of a deleted account's name and contacts, in batches of one transaction each. A batch searches for
 * remaining copies, so an interrupted run continues where it stopped and a repeated run changes nothing. Returns false
 * when `isOver` ended it early.
 */
export async function eraseAccount(erasure: Erasure, uid: string): Promise<boolean> {
  const { database, now, batch = 200, isOver = () => false } = erasure
  for (const step of steps) {
    for (;;) {
      if (isOver()) return false
      const changed = await database.withTransaction((tx) => step(tx, uid, batch))
      if (changed === 0) break
    }
  }
  await database.pool.query(
    'update users set erased_at = $2 where id = $1 and deleted_at is not null and erased_at is null',
    [uid, now()],
  )
  return true
}

const { name } = deletedUser

/** A rider's trips: names, contacts, texts, and the recorded route. */
const asRider: Step = async ({ client }, uid, limit) => {
  const found = await client.query<{ id: string }>(
    `update bookings set customer_name = $2, customer_contact = null, customer_email = $3, customer_image = null,
      feedback = null, reason = case when cancelled_by = 'rider'
        then (select label from cancel_reasons where label = reason limit 1) else reason end
    where id in (select id from bookings where customer = $1 and (customer_name <> $2 or customer_email <> $3
      or num_nonnulls(customer_contact, customer_image, feedback) > 0) limit $4 for update)
    returning id`,
    [uid, name, deletedEmail(uid), limit],
  )
  const ids = found.rows.map((row) => row.id)
  await client.query('delete from tracking where booking_id = any($1::uuid[])', [ids])
  await client.query('delete from trip_lines where booking_id = any($1::uuid[])', [ids])
  await clearReasons(client, uid, ids)
  return ids.length
}

/** A driver's trips, and notifications about them to riders. */
const asDriver: Step = async ({ client }, uid, limit) => {
  const found = await client.query<{ id: string }>(
    `update bookings set driver_name = $2, driver_contact = null, driver_image = null, vehicle_number = null
    where id in (select id from bookings where driver = $1 and (driver_name is distinct from $2
      or num_nonnulls(driver_contact, driver_image, vehicle_number) > 0) limit $3 for update)
    returning id`,
    [uid, name, limit],
  )
  const ids = found.rows.map((row) => row.id)
  await client.query(
    `update user_notifications set params = params || jsonb_build_object('driver_name', $2::text)
      where booking_id = any($1::uuid[]) and params ? 'driver_name'`,
    [ids, name],
  )
  await clearReasons(client, uid, ids)
  return ids.length
}

/** Removes reasons that the user wrote when they cancelled or objected. */
const clearReasons = (client: PoolClient, uid: string, bookings: readonly string[]) =>
  client.query(
    'update booking_events set reason = null where booking_id = any($1::uuid[]) and by_user = $2 and reason is not null',
    [bookings, uid],
  )

/** A step of one statement; its parameters are the id, the placeholder name, and the maximum number of rows. */
const statement =
  (text: string): Step =>
  async ({ client }, uid, limit) =>
    (await client.query(text, [uid, name, limit])).rowCount ?? 0

/** Unpublished events about the user's trips: removes effects for the user, and a driver's name. */
const unpublished = (table: 'outbox' | 'parked_events') =>
  statement(`with found as (
      select e.id, meant.effects from ${table} e
        join (select id, driver from bookings where customer = $1 union select id, driver from bookings where driver = $1) b
          on b.id::text = e.stream
        cross join lateral (
          select coalesce(jsonb_agg(case when b.driver = $1 and one->'params' ? 'driver_name'
              then jsonb_set(one, '{params,driver_name}', to_jsonb($2::text)) else one end order by position), '[]') as effects
          from jsonb_array_elements(e.payload->'effects') with ordinality as effect(one, position)
          where one->>'user' is distinct from ($1::uuid)::text) meant
        where e.kind = 'booking.changed' and e.payload->'effects' <> meant.effects limit $3)
    update ${table} event set payload = jsonb_set(event.payload, '{effects}', found.effects)
      from found where event.id = found.id`)

const steps: readonly Step[] = [
  unpublished('outbox'),
  unpublished('parked_events'),
  asRider,
  asDriver,
  // Responses stored for repeated commands contain bookings.
  statement(`delete from idempotency_keys where scope in (select scope from idempotency_keys
    where $2::text is not null and (split_part(scope, '|', 1) = ($1::uuid)::text
      or result_id in (select id from bookings where customer = $1 or driver = $1)) limit $3)`),
  statement(`delete from user_notifications where id in
    (select id from user_notifications where $2::text is not null and user_id = $1 limit $3)`),
  statement(`delete from user_ratings where (booking_id, user_id) in
    (select booking_id, user_id from user_ratings where $2::text is not null and user_id = $1 limit $3)`),
  statement(`update withdraws set name = $2, bank_name = '', bank_code = '', bank_account = '', reason = null
    where id in (select id from withdraws where uid = $1 and (name <> $2 or bank_account <> '') limit $3)`),
  // Messages to and from providers contain the payer's name.
  statement(`update payment_messages set body = '', query = '' where id in
    (select m.id from payments p join payment_messages m on m.payment = p.id
      where $2::text is not null and p.payer = $1 and (length(m.body) > 0 or m.query <> '') limit $3)`),
  statement(`update cash_receipts set name = $2 where id in
    (select id from cash_receipts where uid = $1 and name <> $2 limit $3)`),
  statement(`update refunds set rider_name = $2 where id in
    (select id from refunds where rider = $1 and rider_name <> $2 limit $3)`),
  statement(`update payments set payer_name = $2, step = null where id in
    (select id from payments where payer = $1 and (payer_name <> $2 or step is not null) limit $3)`),
  async ({ client }, uid, limit) => {
    const reply = await client.query<{ changed: number }>('select forget_in_audit($1, $2, $3) as changed', [
      uid,
      name,
      limit,
    ])
    return reply.rows[0]?.changed ?? 0
  },
]
