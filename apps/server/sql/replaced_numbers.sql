-- The numbers of a booking and of those that it replaces, newest first, as JSON.
create or replace function replaced_numbers(replaced uuid) returns jsonb language plpgsql stable as $$
begin
  return (with recursive chain as (
      select o.booking_id, o.rebooked_from from bookings o where o.id = replaced
      union all select o.booking_id, o.rebooked_from from chain c join bookings o on o.id = c.rebooked_from)
    select jsonb_agg(chain.booking_id) from chain);
end $$;
