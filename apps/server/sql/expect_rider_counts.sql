-- Raises HN020 when the counts of a rider's bookings have changed since they were read; does nothing for null. Locks the
-- rider, so their bookings are written one after the other until the end of the transaction.
create or replace function expect_rider_counts(expected jsonb) returns void language plpgsql strict as $$
declare
  rider uuid := (expected->>'customer')::uuid;
begin
  perform from users where id = rider for no key update;
  if rider_counts(rider, (expected->>'due')::bigint, (expected->>'promo')::uuid) <> expected->'counts' then
    raise exception 'the rider has booked meanwhile' using errcode = 'HN020';
  end if;
end
$$;
