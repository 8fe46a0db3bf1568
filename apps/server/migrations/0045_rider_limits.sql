CREATE INDEX "bookings_open_of_rider" ON "bookings" USING btree ("customer") WHERE "bookings"."status" in ('PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED');
--> statement-breakpoint
-- What a rider has open of what they booked themselves, how many of it drivers are asked for (later trips up to the
-- tripdate `due`), and how many of their bookings have used or reserved a promo.
CREATE FUNCTION rider_counts(rider uuid, due bigint, promo uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  select jsonb_build_object(
    'now', count(*) filter (where not book_later),
    'later', count(*) filter (where book_later),
    'searching', count(*) filter (where status = 'NEW' and (not book_later or tripdate <= due)),
    'promo_uses', case when promo is null then 0 else
      (select count(*) from bookings b where b.customer = rider and b.promo_id = promo and b.status <> 'CANCELLED') end)
  from bookings
  where customer = rider and not booking_type_admin
    and status in ('PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED')
$$;
--> statement-breakpoint
-- Raises HN020 when a rider has other bookings by now than were counted. Their bookings come one after the other from here
-- to the end of the transaction.
CREATE FUNCTION expect_rider_counts(expected jsonb) RETURNS void LANGUAGE plpgsql AS $$
declare
  rider uuid := (expected->>'customer')::uuid;
begin
  if expected is null then return; end if;
  perform from users where id = rider for no key update;
  if rider_counts(rider, (expected->>'due')::bigint, (expected->>'promo')::uuid) <> expected->'counts' then
    raise exception 'the rider has booked meanwhile' using errcode = 'HN020';
  end if;
end
$$;
