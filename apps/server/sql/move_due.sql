-- Updates the due of a booking with a leg on its account.
create or replace function move_due(entry jsonb, leg jsonb) returns void language plpgsql as $$
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
end $$;
