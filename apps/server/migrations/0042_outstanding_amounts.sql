CREATE TABLE "cash_receipts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigserial NOT NULL,
	"uid" uuid NOT NULL,
	"name" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"at" bigint NOT NULL,
	"by_user" uuid NOT NULL,
	"note" text NOT NULL,
	"reversed_at" bigint,
	"reversed_by" uuid,
	"reason" text,
	CONSTRAINT "cash_receipts_number_unique" UNIQUE("number"),
	CONSTRAINT "cash_receipts_amount" CHECK ("cash_receipts"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "dues" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"rider" uuid NOT NULL,
	"driver" uuid NOT NULL,
	"at" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"open" bigint NOT NULL,
	"waived" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "dues_range" CHECK ("dues"."open" >= 0 and "dues"."waived" >= 0 and "dues"."open" + "dues"."waived" <= "dues"."amount")
);
--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "arrival_received_at" bigint;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "outstanding_amount" bigint;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "outstanding_collected" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "cash_answer" text;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "objection" text;--> statement-breakpoint
ALTER TABLE "withdraws" ADD COLUMN "taken_back" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cash_receipts" ADD CONSTRAINT "cash_receipts_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_rider_users_id_fk" FOREIGN KEY ("rider") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_driver_users_id_fk" FOREIGN KEY ("driver") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cash_receipts_uid" ON "cash_receipts" USING btree ("uid","number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "dues_open" ON "dues" USING btree ("rider","at","booking_id") WHERE "dues"."open" > 0;--> statement-breakpoint
CREATE INDEX "bookings_unpaid" ON "bookings" USING btree ("customer","closed_at","id") WHERE "bookings"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "bookings_objection" ON "bookings" USING btree ("objection","customer") WHERE "bookings"."objection" = 'open';--> statement-breakpoint
ALTER TABLE "withdraws" ADD CONSTRAINT "withdraws_taken_back" CHECK ("withdraws"."refused" or not "withdraws"."taken_back");
--> statement-breakpoint
-- Keeps a due beside the leg on its account.
CREATE FUNCTION move_due(entry jsonb, leg jsonb) RETURNS void LANGUAGE plpgsql AS $$
declare
  booking uuid := substr(leg->>'account', 5)::uuid;
  moved bigint := (leg->>'amount')::bigint;
begin
  if moved > 0 then
    insert into dues (booking_id, rider, driver, at, amount, open)
      select b.id, b.customer, b.driver, (entry->>'at')::bigint, moved, moved from bookings b where b.id = booking;
  else
    update dues set open = open + moved, waived = waived - case when entry->>'kind' = 'due_waived' then moved else 0 end
      where booking_id = booking;
  end if;
  if not found then raise exception 'no due of booking % to move', booking; end if;
end $$;--> statement-breakpoint

-- Writes entries and moves the balances and dues with them. `floored` names the users whose wallet may not end below zero.
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
      if leg->>'account' like 'due:%' then perform move_due(entry, leg); end if;
      insert into ledger_legs (entry_id, position, account, user_id, amount, balance) values (
        (entry->>'id')::uuid, leg_no, leg->>'account', (leg->>'user_id')::uuid, (leg->>'amount')::bigint, after);
    end loop;
  end loop;

  if exists (select from users where id = any(floored) and id = any(moved) and wallet_balance < 0) then
    raise exception 'a wallet would fall below zero' using errcode = 'HN004';
  end if;

  -- Riders whose balance has risen above what their drivers still wait for.
  insert into outbox (at, stream, kind, payload)
    select (extract(epoch from clock_timestamp()) * 1000)::bigint, 'wallet:' || u.id, 'wallet.rose',
        jsonb_build_object('user', u.id)
      from users u where u.id = any(moved)
        and (select sum(open) from dues where rider = u.id and open > 0) > greatest(0, -u.wallet_balance);
end $$;--> statement-breakpoint

-- Changes a booking that still has the version it was read with; returns how many rows that were. It names every
-- column, so that its plan is made once: a migration that adds a column to bookings replaces it.
CREATE OR REPLACE FUNCTION update_booking(booking uuid, read_version int, changes jsonb) RETURNS int LANGUAGE plpgsql AS $$
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
      "rebooked_from", "rebooked_as", "excluded_drivers", "wave", "arrival_received_at", "outstanding_amount",
      "outstanding_collected", "cash_answer", "objection") = (
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
      r."excluded_drivers", r."wave", r."arrival_received_at", r."outstanding_amount",
      r."outstanding_collected", r."cash_answer", r."objection"
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
--   also [{id, version, set}]: other bookings that the same money pays.
-- Rows are locked in the order booking, other bookings, users by id, promo, so that commands do not lock each other up.
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
  for change in select one from jsonb_array_elements(d->'also') one order by one->>'id' loop
    hits := update_booking((change->>'id')::uuid, (change->>'version')::int, change->'set');
    if hits = 0 then raise exception 'the booking has changed' using errcode = 'HN002'; end if;
  end loop;

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
end $$;--> statement-breakpoint

UPDATE bookings SET arrival_received_at = driver_arrive_time WHERE driver_arrive_time IS NOT NULL;--> statement-breakpoint

-- Debts never block a booking or, by themselves, a driver any more.
UPDATE settings SET value = value || '{"negativeBalance": true}', version = version + 1;--> statement-breakpoint

-- Withdrawals could ask for more than there was. Those that still wait go back to the wallet, newest first, until the
-- balance is not below zero: otherwise the next trip would collect them as a debt.
DO $$
declare
  request record;
  now_ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  for request in
    select w.* from withdraws w join users u on u.id = w.uid
      where not w.processed and not w.refused and u.wallet_balance < 0 order by w.date desc, w.id desc
  loop
    continue when (select wallet_balance >= 0 from users where id = request.uid);
    perform append_ledger(jsonb_build_array(jsonb_build_object(
      'id', (lpad(to_hex(now_ms), 12, '0') || '7' || substr(md5(request.id::text), 1, 3) || '8'
        || substr(md5(random()::text), 1, 15))::uuid,
      'at', now_ms, 'kind', 'withdraw_refused', 'key', 'withdraw:' || request.id || ':done', 'booking_id', null,
      'currency', request.currency, 'by_user', null, 'note', 'More than the balance',
      'legs', jsonb_build_array(
        jsonb_build_object('account', 'payout', 'user_id', null, 'amount', -request.amount),
        jsonb_build_object('account', 'user:' || request.uid, 'user_id', request.uid, 'amount', request.amount)))), '{}');
    update withdraws set refused = true, reason = 'More than the balance', proces_date = now_ms where id = request.id;
  end loop;
end $$;
