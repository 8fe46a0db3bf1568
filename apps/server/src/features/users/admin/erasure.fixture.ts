import type { Pool } from 'pg'

interface Trips {
  driver: string
  rider: string
  count: number
}

/**
 * Inserts finished trips of a driver with a rider, as sets: each with a notification for both, a rating, a track point,
 * its line, an event with a reason of each, an audit log row, a parked event and a stored response. Both users have a
 * cash receipt.
 */
export async function addTrips(pool: Pool, { driver, rider, count }: Trips): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    const carType = await client.query<{ id: string }>(
      `insert into car_types (id, created_at, name, image, base_fare, rate_per_unit_distance, rate_per_hour, min_fare,
          convenience_fees, convenience_fee_type)
        select gen_random_uuid(), 0, 'Car ' || gen_random_uuid(), null, 0, 0, 0, 0, 0, 'flat' returning id`,
    )
    await client.query(
      `create temporary table trips on commit drop as
        select gen_random_uuid() as id, n, 1700000000000 + n * 1000::bigint as at from generate_series(1, $1::int) n`,
      [count],
    )
    await client.query(
      `insert into bookings (id, booking_id, status, car_type_id, car_type, fare_rule, cancel_slab, decimal,
          convert_to_mile, currency, customer, customer_name, customer_email, customer_contact, driver, driver_name,
          driver_contact, vehicle_number, pickup, drop, route, estimate, estimate_distance, estimate_time, tripdate,
          booking_date, book_later, trip_cost, convenience_fees, driver_share, fare_parts, payment_mode, feedback,
          note)
        select id, 'T' || substr(id::text, 1, 18), 'COMPLETE', $1, 'Car', '{}', '[]', 2, false, 'USD', $2, 'Rita Rider',
          'rita@x.test', '+59899000111', $3, 'Dora Driver', '+59899000222', 'ABC 123',
          '{"lat":-34.9,"lng":-56.2,"add":"A"}', '{"lat":-34.8,"lng":-56.1,"add":"B"}', '', 0, 1, 1, at, at, false, 0, 0,
          0, '{}', 'cash', 'Good', 'Flat 4' from trips`,
      [carType.rows[0]?.id, rider, driver],
    )
    await client.query(
      `insert into user_notifications (id, user_id, at, title, msg, params, screen, booking_id, dedupe)
        select gen_random_uuid(), who, at, 't', 'm', '{"driver_name":"Dora Driver"}', 'Trips', id, id || ':' || who
          from trips, unnest(array[$1::uuid, $2::uuid]) who`,
      [rider, driver],
    )
    await client.query(
      `insert into user_ratings (booking_id, user_id, rated_by, rate, at) select id, $1, $2, 5, at from trips`,
      [driver, rider],
    )
    await client.query(
      `insert into tracking (booking_id, at, status, lat, lng) select id, at, 'STARTED', -34.9, -56.2 from trips`,
    )
    await client.query(
      `insert into audit_log (id, at, by_user, by_name, action, kind, subject, label, person)
        select gen_random_uuid(), at, $1::uuid, 'Dora Driver', 'users.update', 'user', $1::uuid::text, 'Dora Driver',
            $1::uuid from trips
          where n <= 500`,
      [driver],
    )
    await client.query(
      `insert into trip_lines (booking_id, polyline, distance_km, last_at, last_status, last_lat, last_lng)
        select id, '_p~iF', 1, at, 'STARTED', -34.9, -56.2 from trips where n <= 500`,
    )
    await client.query(
      `insert into booking_events (booking_id, version, at, actor, by_user, command, from_status, to_status, reason)
        select id, v.version, at, v.actor, v.who, 'object', 'COMPLETE', 'COMPLETE', 'My neighbour saw it'
          from trips, (values (1, 'rider', $1::uuid), (2, 'driver', $2::uuid)) v(version, actor, who)
          where n <= 500`,
      [rider, driver],
    )
    await client.query(
      `insert into cash_receipts (id, uid, name, amount, currency, at, by_user, note)
        select gen_random_uuid(), who, name, 5, 'USD', 1, who, ''
          from (values ($1::uuid, 'Rita Rider'), ($2::uuid, 'Dora Driver')) v(who, name)`,
      [rider, driver],
    )
    await client.query(
      `insert into parked_events (id, at, stream, kind, payload, error, failing_since)
        select (select coalesce(max(id), 0) from parked_events) + n, at, id::text, 'booking.changed', jsonb_build_object(
            'booking', id, 'effects', jsonb_build_array(
              jsonb_build_object('kind', 'dispatch', 'at', 1),
              jsonb_build_object('kind', 'save_address', 'user', $1::text, 'point', '{"lat":1,"lng":2,"add":"Home"}'::jsonb),
              jsonb_build_object('kind', 'notify', 'user', $1::text, 'params', '{"driver_name":"Dora Driver"}'::jsonb))),
            'broken', at
          from trips where n <= 500`,
      [rider],
    )
    await client.query(
      `insert into idempotency_keys (scope, body_hash, at, result_id)
        select $1::uuid::text || '|x|' || n, '', at, id from trips where n <= 500`,
      [driver],
    )
    await client.query(
      `with begun as (
          insert into chats (booking_id, driver_id, created_at, last_seq) select id, $2, at, 2 from trips where n <= 500
            returning booking_id)
        insert into chat_messages (id, booking_id, driver_id, seq, at, from_user, source, kind, message, sms_id)
          select gen_random_uuid(), booking_id, $2, v.seq, 1, v.who, v.source, 'text', 'Blue door', 'key-' || v.seq
            from begun, (values (1, $1::uuid, 'rider'), (2, $2::uuid, 'driver')) v(seq, who, source)`,
      [rider, driver],
    )
    await client.query(
      `insert into safety_events (id, booking_id, kind, driver, state, opened_at, alarm_at, raised_by, lat, lng, point_at,
          closed_at, closing)
        select id, id, 'panic', $1, 'closed', at, at, $2, -34.9, -56.2, at, at, 'admin' from trips where n <= 500`,
      [driver, rider],
    )
    await client.query(
      `insert into safety_moments (event_id, at, what, by_user, note, lat, lng)
        select id, at, 'raised', $1, 'Called Rita', -34.9, -56.2 from trips where n <= 500`,
      [rider],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  await pool.query('analyze bookings, user_notifications')
}

/** Counts the remaining data of a user in other tables. */
export async function remainingData(pool: Pool, id: string): Promise<Record<string, number>> {
  const reply = await pool.query<Record<string, number>>(
    `select
      (select count(*)::int from bookings where (customer = $1 and (customer_name like 'Rita%' or customer_contact is not null
        or feedback is not null or note is not null)) or (driver = $1 and (driver_name like 'Dora%' or vehicle_number is not null))) as bookings,
      (select count(*)::int from user_notifications n join bookings b on b.id = n.booking_id
        where b.driver = $1 and n.user_id <> $1 and n.params->>'driver_name' like 'Dora%') as told,
      (select count(*)::int from user_notifications where user_id = $1) as own,
      (select count(*)::int from user_ratings where user_id = $1) as ratings,
      (select count(*)::int from tracking t join bookings b on b.id = t.booking_id where b.customer = $1 or b.driver = $1)
        as points,
      (select count(*)::int from trip_lines l join bookings b on b.id = l.booking_id where b.customer = $1) as lines,
      (select count(*)::int from safety_events e join bookings b on b.id = e.booking_id
        left join safety_moments m on m.event_id = e.id where (b.customer = $1 or b.driver = $1)
          and num_nonnulls(e.lat, m.lat, m.note) > 0) as safety,
      (select count(*)::int from booking_events where by_user = $1 and reason is not null) as words,
      (select count(*)::int from chat_messages where from_user = $1 and message <> '') as messages,
      (select count(*)::int from cash_receipts where uid = $1 and name <> 'Deleted user') as receipts,
      (select count(*)::int from parked_events e where e.payload->'effects' @> jsonb_build_array(jsonb_build_object('user', $1))
        or exists (select from bookings b where b.id::text = e.stream and b.driver = $1
          and e.payload->'effects' @> '[{"params": {"driver_name": "Dora Driver"}}]')) as untold,
      (select count(*)::int from audit_log where (person = $1 and label like 'Dora%')
        or (by_user = $1 and by_name like 'Dora%')) as audit,
      (select count(*)::int from idempotency_keys where scope like $1::uuid::text || '|%') as answers`,
    [id],
  )
  return reply.rows[0] ?? {}
}
