-- Raises HN022 when another amount than `known` was returned to a booking's rider; does nothing for null. Called after the
-- booking was changed: a refund locks the booking first, so one of the two transactions sees the other.
create or replace function expect_returned(booking uuid, known bigint) returns void language plpgsql strict as $$
begin
  if returned_amount(booking) <> known then
    raise exception 'what was returned to the rider has changed' using errcode = 'HN022';
  end if;
end
$$;
