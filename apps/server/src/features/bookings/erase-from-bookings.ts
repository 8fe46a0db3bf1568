import { writtenFields } from '@hansom/domain/bookings/fields'
import type { PoolClient } from 'pg'
import type { Transaction } from '../../platform/database/transaction.ts'
import { deletedEmail, deletedUser, type EraseStep, eraseBy } from '../users/erase-user.ts'
import { replaceDriverName } from '../users/notifications.ts'
import { bookingsTable } from './table.ts'

const { name } = deletedUser

/** Columns with data of the rider that are cleared. */
const ridersOwn = [
  'customer_contact',
  'customer_image',
  'feedback',
  ...writtenFields.map(({ field }) => bookingsTable[field].name),
]

/** A rider's trips: names, contacts, texts, and the recorded route. */
const asRider: EraseStep = async ({ client }, uid, limit) => {
  const found = await client.query<{ id: string }>(
    `update bookings set customer_name = $2, customer_email = $3, ${ridersOwn.map((one) => `${one} = null`).join(', ')},
      reason = case when cancelled_by = 'rider'
        then (select label from cancel_reason_labels where label = reason limit 1) else reason end
    where id in (select id from bookings where customer = $1 and (customer_name <> $2 or customer_email is distinct from $3
      or num_nonnulls(${ridersOwn.join(', ')}) > 0) limit $4 for update)
    returning id`,
    [uid, name, deletedEmail(uid), limit],
  )
  const ids = found.rows.map((row) => row.id)
  await removeTracks(client, ids)
  await clearReasons(client, uid, ids)
  return ids.length
}

/** Removes the recorded routes. */
async function removeTracks(client: PoolClient, bookings: readonly string[]): Promise<void> {
  await client.query('delete from tracking where booking_id = any($1::uuid[])', [bookings])
  await client.query('delete from trip_lines where booking_id = any($1::uuid[])', [bookings])
}

/** A driver's trips, and notifications about them to riders. */
const asDriver: EraseStep = async (tx, uid, limit) => {
  const { client } = tx
  const found = await client.query<{ id: string }>(
    `update bookings set driver_name = $2, driver_contact = null, driver_image = null, vehicle_number = null
    where id in (select id from bookings where driver = $1 and (driver_name is distinct from $2
      or num_nonnulls(driver_contact, driver_image, vehicle_number) > 0) limit $3 for update)
    returning id`,
    [uid, name, limit],
  )
  const ids = found.rows.map((row) => row.id)
  await replaceDriverName(tx, ids, name)
  await clearReasons(client, uid, ids)
  return ids.length
}

/** Removes reasons that the user wrote when they cancelled or objected. */
const clearReasons = (client: PoolClient, uid: string, bookings: readonly string[]) =>
  client.query(
    'update booking_events set reason = null where booking_id = any($1::uuid[]) and by_user = $2 and reason is not null',
    [bookings, uid],
  )

/** Unpublished events about the user's trips: removes effects for the user, and a driver's name. */
const unpublished = (table: 'outbox' | 'parked_events') =>
  eraseBy(`with found as (
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

/** The steps that erase a deleted user from bookings and what is stored about them. */
export const eraseFromBookings: readonly EraseStep[] = [
  unpublished('outbox'),
  unpublished('parked_events'),
  asRider,
  asDriver,
  // Responses stored for repeated commands contain bookings.
  eraseBy(`delete from idempotency_keys where scope in (select scope from idempotency_keys
    where $2::text is not null and (split_part(scope, '|', 1) = ($1::uuid)::text
      or result_id in (select id from bookings where customer = $1 or driver = $1)) limit $3)`),
]

/** SQL: a place with coordinates of two decimals, about a kilometer, in place of its street address. */
export const roundedPlace = (
  column: string,
) => `(select jsonb_build_object('lat', lat, 'lng', lng, 'add', concat(lat, ', ', lng))
  from (select round((${column}->>'lat')::numeric, 2) as lat, round((${column}->>'lng')::numeric, 2) as lng) rounded)`

/** Removes from ended deliveries the street address of their last recipient, and the routes that lead to recipients. */
export async function roundDrops({ client }: Transaction, ids: readonly string[]): Promise<void> {
  await client.query(
    `update bookings set "drop" = ${roundedPlace('"drop"')}, route = '' where id = any($1::uuid[])`,
    [ids],
  )
  await removeTracks(client, ids)
}
