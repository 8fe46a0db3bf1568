-- The planner takes a list in JSON for long and would read all users to find the two it names: users are looked up
-- one by one, or by an array.

-- Writes entries and moves the balances with them. `floored` names the users whose wallet may not end below zero.
-- User rows are locked in the order of their ids; system accounts have no running balance.
CREATE OR REPLACE FUNCTION append_ledger(entries jsonb, floored uuid[]) RETURNS void LANGUAGE plpgsql AS $$
declare
  moved uuid[];
  entry jsonb;
  leg jsonb;
  leg_no int;
  after bigint;
begin
  moved := array(
    select distinct (l->>'user_id')::uuid from jsonb_array_elements(entries) e, jsonb_array_elements(e->'legs') l
    where l->>'user_id' is not null);
  perform from users where id = any(moved) order by id for no key update;

  for entry in select jsonb_array_elements(entries) loop
    insert into ledger_entries (id, at, kind, key, booking_id, currency, by_user, note) values (
      (entry->>'id')::uuid, (entry->>'at')::bigint, entry->>'kind', entry->>'key', (entry->>'booking_id')::uuid,
      entry->>'currency', (entry->>'by_user')::uuid, entry->>'note');
    leg_no := 0;
    for leg in select jsonb_array_elements(entry->'legs') loop
      leg_no := leg_no + 1;
      after := null;
      if leg->>'user_id' is not null then
        update users set wallet_balance = wallet_balance + (leg->>'amount')::bigint, version = version + 1
          where id = (leg->>'user_id')::uuid returning wallet_balance into after;
      end if;
      insert into ledger_legs (entry_id, position, account, user_id, amount, balance) values (
        (entry->>'id')::uuid, leg_no, leg->>'account', (leg->>'user_id')::uuid, (leg->>'amount')::bigint, after);
    end loop;
  end loop;

  if exists (select from users where id = any(floored) and id = any(moved) and wallet_balance < 0) then
    raise exception 'a wallet would fall below zero' using errcode = 'HN004';
  end if;
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
  people uuid[];
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
    people := array(
      select (d->>'claim')::uuid union select (d->>'free')::uuid
      union select (leg->>'user_id')::uuid
        from jsonb_array_elements(d->'entries') entry, jsonb_array_elements(entry->'legs') leg
      union select (rating->>'user_id')::uuid from jsonb_array_elements(d->'ratings') rating);
    perform from users where id = any(people) order by id for no key update;
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
