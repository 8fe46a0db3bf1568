-- What was returned to a booking's rider: the refunds of its payments that did not fail, and the part of its due that was
-- waived. The payments include those for the bookings that it replaced.
create or replace function returned_amount(returned_for uuid) returns bigint language sql stable as $$
  with recursive chain as (
    select id, rebooked_from from bookings where id = returned_for
    union all select b.id, b.rebooked_from from bookings b join chain c on b.id = c.rebooked_from)
  select coalesce((select sum(r.amount) from refunds r where r.state <> 'failed'
        and (r.booking = returned_for and r.payment is null or r.payment in (
          select p.id from payments p where p.booking in (select id from chain) and p.used_for = 'booking'))), 0)::bigint
    + coalesce((select d.waived from dues d where d.booking_id = returned_for), 0)
$$;
