-- Errors these functions raise, which the server turns into a second look at the facts:
--   HN001 the idempotency key was used   HN002 the booking has another version   HN003 the driver is claimed
--   HN004 a wallet would fall below zero HN005 the promo is used up              HN006 a request is gone

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end $$;--> statement-breakpoint

CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();--> statement-breakpoint
CREATE TRIGGER ledger_legs_append_only BEFORE UPDATE OR DELETE ON ledger_legs
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();--> statement-breakpoint
CREATE TRIGGER ledger_entries_not_emptied BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();--> statement-breakpoint
CREATE TRIGGER ledger_legs_not_emptied BEFORE TRUNCATE ON ledger_legs
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();--> statement-breakpoint

CREATE FUNCTION ledger_entry_balances() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  entry uuid;
  total numeric;
  legs int;
begin
  if tg_table_name = 'ledger_entries' then entry := new.id; else entry := new.entry_id; end if;
  select coalesce(sum(amount), 0), count(*) into total, legs from ledger_legs where entry_id = entry;
  if total <> 0 or legs < 2 then
    raise exception 'ledger entry % has % legs that sum to %', entry, legs, total
      using errcode = 'check_violation', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;--> statement-breakpoint

CREATE CONSTRAINT TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_entry_balances();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_legs_balance AFTER INSERT ON ledger_legs
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_entry_balances();--> statement-breakpoint

-- Writes entries and moves the balances with them. `floored` names the users whose wallet may not end below zero.
-- User rows are locked in the order of their ids; system accounts have no running balance.
CREATE FUNCTION append_ledger(entries jsonb, floored uuid[]) RETURNS void LANGUAGE plpgsql AS $$
declare
  moved uuid[];
begin
  insert into ledger_entries (id, at, kind, key, booking_id, currency, by_user, note)
    select id, at, kind, key, booking_id, currency, by_user, note
    from jsonb_to_recordset(entries)
      as e(id uuid, at bigint, kind text, key text, booking_id uuid, currency text, by_user uuid, note text);

  select array_agg(distinct (leg->>'user_id')::uuid) filter (where leg->>'user_id' is not null) into moved
    from jsonb_array_elements(entries) entry, jsonb_array_elements(entry->'legs') leg;
  perform from users where id = any(moved) order by id for no key update;

  insert into ledger_legs (entry_id, position, account, user_id, amount, balance)
    select l.entry_id, l.leg_no, l.account, l.user_id, l.amount,
      u.wallet_balance + sum(l.amount) over (partition by l.user_id order by l.entry_no, l.leg_no)
    from (
      select (entry->>'id')::uuid as entry_id, entry_no, leg_no, leg->>'account' as account,
        (leg->>'user_id')::uuid as user_id, (leg->>'amount')::bigint as amount
      from jsonb_array_elements(entries) with ordinality as e(entry, entry_no),
        jsonb_array_elements(entry->'legs') with ordinality as g(leg, leg_no)
    ) l left join users u on u.id = l.user_id;

  update users u set wallet_balance = u.wallet_balance + m.amount, version = u.version + 1
    from (
      select (leg->>'user_id')::uuid as user_id, sum((leg->>'amount')::bigint) as amount
      from jsonb_array_elements(entries) entry, jsonb_array_elements(entry->'legs') leg
      where leg->>'user_id' is not null group by 1
    ) m where u.id = m.user_id;

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
CREATE FUNCTION apply_booking_decision(d jsonb) RETURNS void LANGUAGE plpgsql AS $$
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
    execute (
      select 'update bookings b set version = b.version + 1'
        || coalesce(string_agg(format(', %1$I = r.%1$I', name), '' order by name), '')
        || ' from jsonb_populate_record(null::bookings, $1) r where b.id = $2 and b.version = $3'
      from jsonb_object_keys(change->'set') name
    ) using change->'set', (change->>'id')::uuid, (change->>'version')::int;
    get diagnostics hits = row_count;
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
