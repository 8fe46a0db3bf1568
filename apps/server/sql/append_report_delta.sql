-- Appends what a changed booking removes from the report sums and what it adds: PAID and COMPLETE count with their amounts,
-- CANCELLED counts as a number and with its fee. The rule is `earningsOf` in the domain; a test compares the two.
create or replace function append_report_delta() returns trigger language plpgsql as $$
declare
  b bookings;
  sign int;
begin
  if tg_op = 'UPDATE' and (old.status in ('PAID', 'COMPLETE')) = (new.status in ('PAID', 'COMPLETE'))
      and (old.status = 'CANCELLED') = (new.status = 'CANCELLED')
      and (old.tripdate, old.driver, old.fleetadmin, old.trip_cost, old.convenience_fees, old.discount_amount,
          old.driver_share, old.cancellation_fee)
        is not distinct from (new.tripdate, new.driver, new.fleetadmin, new.trip_cost, new.convenience_fees,
          new.discount_amount, new.driver_share, new.cancellation_fee) then
    return null;
  end if;
  foreach sign in array case tg_op when 'INSERT' then '{1}' when 'DELETE' then '{-1}' else '{-1,1}' end::int[] loop
    if sign = 1 then b := new; else b := old; end if;
    if b.status in ('PAID', 'COMPLETE') then
      insert into report_deltas
          (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share)
        values (b.tripdate, b.driver, b.fleetadmin, sign, 0, sign * b.trip_cost, sign * b.convenience_fees,
          sign * b.discount_amount, sign * b.driver_share);
    elsif b.status = 'CANCELLED' then
      insert into report_deltas (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees,
          discount_amount, driver_share, cancellation_fees)
        values (b.tripdate, b.driver, b.fleetadmin, 0, sign, 0, 0, 0, 0, sign * b.cancellation_fee);
    end if;
  end loop;
  return null;
end $$;

create trigger bookings_reported_insert after insert on bookings for each row
  when (new.status in ('PAID', 'COMPLETE', 'CANCELLED')) execute function append_report_delta();

-- Most changes of a trip stop at this condition, which costs no function call. PostgreSQL parses conditions in every statement,
-- but skips those of a trigger whose columns the statement does not set.
create trigger bookings_reported_update after update of status, tripdate, driver, fleetadmin, trip_cost, convenience_fees,
    discount_amount, driver_share, cancellation_fee on bookings for each row
  when (old.status in ('PAID', 'COMPLETE', 'CANCELLED') or new.status in ('PAID', 'COMPLETE', 'CANCELLED'))
  execute function append_report_delta();

create trigger bookings_reported_delete after delete on bookings for each row
  when (old.status in ('PAID', 'COMPLETE', 'CANCELLED')) execute function append_report_delta();
