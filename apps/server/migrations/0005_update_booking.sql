-- Changes a booking that still has the version it was read with; returns how many rows that were. It names every
-- column, so that its plan is made once: a migration that adds a column to bookings replaces it.
CREATE FUNCTION update_booking(booking uuid, read_version int, changes jsonb) RETURNS int LANGUAGE plpgsql AS $$
declare
  hits int;
begin
  update bookings b set (version,
      "booking_id", "status", "car_type_id", "car_type", "car_image", "fare_rule", "cancel_slab",
      "decimal", "convert_to_mile", "currency", "customer", "customer_name", "customer_contact",
      "customer_email", "customer_image", "driver", "driver_name", "driver_image", "driver_contact",
      "vehicle_number", "vehicle_make", "vehicle_model", "driver_rating", "fleetadmin", "pickup", "drop",
      "route", "estimate", "estimate_distance", "estimate_time", "distance", "distance_filled", "tripdate",
      "booking_date", "book_later", "accepted_at", "promised_arrival", "driver_arrive_time",
      "trip_start_time", "trip_end_time", "total_trip_time", "closed_at", "otp", "otp_tries",
      "otp_blocked_until", "booking_type_admin", "reason", "cancelled_by", "cancellation_fee", "trip_cost",
      "convenience_fees", "driver_share", "fare_parts", "discount_amount", "customer_paid", "payment_mode",
      "gateway", "prepaid", "cash_payment_amount", "card_payment_amount", "used_wallet_money",
      "payable_amount", "promo_applied", "promo_id", "promo_details", "rating", "feedback", "rider_rating",
      "rebooked_from", "rebooked_as", "excluded_drivers", "wave") = (
    select b.version + 1,
      r."booking_id", r."status", r."car_type_id", r."car_type", r."car_image", r."fare_rule",
      r."cancel_slab", r."decimal", r."convert_to_mile", r."currency", r."customer", r."customer_name",
      r."customer_contact", r."customer_email", r."customer_image", r."driver", r."driver_name",
      r."driver_image", r."driver_contact", r."vehicle_number", r."vehicle_make", r."vehicle_model",
      r."driver_rating", r."fleetadmin", r."pickup", r."drop", r."route", r."estimate",
      r."estimate_distance", r."estimate_time", r."distance", r."distance_filled", r."tripdate",
      r."booking_date", r."book_later", r."accepted_at", r."promised_arrival", r."driver_arrive_time",
      r."trip_start_time", r."trip_end_time", r."total_trip_time", r."closed_at", r."otp", r."otp_tries",
      r."otp_blocked_until", r."booking_type_admin", r."reason", r."cancelled_by", r."cancellation_fee",
      r."trip_cost", r."convenience_fees", r."driver_share", r."fare_parts", r."discount_amount",
      r."customer_paid", r."payment_mode", r."gateway", r."prepaid", r."cash_payment_amount",
      r."card_payment_amount", r."used_wallet_money", r."payable_amount", r."promo_applied", r."promo_id",
      r."promo_details", r."rating", r."feedback", r."rider_rating", r."rebooked_from", r."rebooked_as",
      r."excluded_drivers", r."wave"
    from jsonb_populate_record(b, changes) r)
  where b.id = booking and b.version = read_version;
  get diagnostics hits = row_count;
  return hits;
end $$;--> statement-breakpoint

-- Applies what was decided about a booking in one commit: all of it, or nothing with an error. `d` has any of:
--   idempotency (a row), insert (bookings), change {id, version, set}, claim and free (a driver's id),
--   entries (for append_ledger), floored (user ids), promo_take and promo_give (a promo's id), now (epoch ms),
--   answered {booking_id, driver_id} (that request must exist and goes), closed (the booking whose requests go),
--   requests, tracking, ratings, events (rows), outbox [{stream, kind, payload}].
-- Rows are locked in the order booking, users by id, promo, so that commands do not lock each other up.
CREATE OR REPLACE FUNCTION apply_booking_decision(d jsonb) RETURNS void LANGUAGE plpgsql AS $$
declare
  change jsonb := d->'change';
  hits int;
begin
  if d ? 'idempotency' then
    insert into idempotency_keys select * from jsonb_populate_record(null::idempotency_keys, d->'idempotency')
      on conflict do nothing;
    if not found then raise exception 'the idempotency key was used' using errcode = 'HN001'; end if;
  end if;

  if d ? 'insert' then
    if change is not null then
      perform from bookings where id = (change->>'id')::uuid and version = (change->>'version')::int for no key update;
      if not found then raise exception 'the booking has changed' using errcode = 'HN002'; end if;
    end if;
    insert into bookings select * from jsonb_populate_recordset(null::bookings, d->'insert');
  end if;

  if change is not null then
    hits := update_booking((change->>'id')::uuid, (change->>'version')::int, change->'set');
    if hits = 0 then raise exception 'the booking has changed' using errcode = 'HN002'; end if;
  end if;

  if d ?| array['claim', 'free', 'ratings'] then
    perform from users where id in (
        select (d->>'claim')::uuid union select (d->>'free')::uuid
        union select (leg->>'user_id')::uuid
          from jsonb_array_elements(d->'entries') entry, jsonb_array_elements(entry->'legs') leg
        union select (rating->>'user_id')::uuid from jsonb_array_elements(d->'ratings') rating)
      order by id for no key update;
  end if;
  if d ? 'claim' then
    update users set queue = true, version = version + 1
      where id = (d->>'claim')::uuid and not queue and usertype = 'driver' and approved;
    if not found then raise exception 'the driver is claimed' using errcode = 'HN003'; end if;
  end if;
  if d ? 'free' then
    update users set queue = false, version = version + 1 where id = (d->>'free')::uuid and queue;
  end if;
  if d ? 'entries' then
    perform append_ledger(d->'entries', array(select jsonb_array_elements_text(d->'floored')::uuid));
  end if;

  if d ? 'promo_give' then
    update promos set user_avail = user_avail - 1 where id = (d->>'promo_give')::uuid and user_avail > 0;
  end if;
  if d ? 'promo_take' then
    update promos set user_avail = user_avail + 1
      where id = (d->>'promo_take')::uuid and user_avail < promo_usage_limit and promo_validity >= (d->>'now')::bigint;
    if not found then raise exception 'the promo is used up' using errcode = 'HN005'; end if;
  end if;

  if d ? 'answered' then
    delete from booking_requests where booking_id = (d->'answered'->>'booking_id')::uuid
      and driver_id = (d->'answered'->>'driver_id')::uuid;
    if not found then raise exception 'the request is gone' using errcode = 'HN006'; end if;
  end if;
  if d ? 'closed' then
    delete from booking_requests where booking_id = (d->>'closed')::uuid;
  end if;
  if d ? 'requests' then
    insert into booking_requests select * from jsonb_populate_recordset(null::booking_requests, d->'requests')
      on conflict (booking_id, driver_id) do update set wave = excluded.wave, requested_at = excluded.requested_at,
        expires_at = excluded.expires_at, pickup_km = excluded.pickup_km, pickup_s = excluded.pickup_s;
  end if;
  if d ? 'tracking' then
    insert into tracking (booking_id, at, status, lat, lng)
      select booking_id, at, status, lat, lng from jsonb_populate_recordset(null::tracking, d->'tracking')
      on conflict do nothing;
  end if;
  if d ? 'ratings' then
    insert into user_ratings select * from jsonb_populate_recordset(null::user_ratings, d->'ratings');
    update users u set rating_sum = rating_sum + r.rate, rating_count = rating_count + 1, version = u.version + 1
      from jsonb_populate_recordset(null::user_ratings, d->'ratings') r where u.id = r.user_id;
  end if;

  insert into booking_events select * from jsonb_populate_recordset(null::booking_events, d->'events');
  insert into outbox (at, stream, kind, payload)
    select (d->>'now')::bigint, e.stream, e.kind, e.payload
    from jsonb_to_recordset(d->'outbox') as e(stream text, kind text, payload jsonb);
end $$;
