-- Appends what a changed booking removes from the report sums and what it adds: PAID and COMPLETE count with their amounts,
-- CANCELLED counts only as a number. The rule is `earningsOf` in the domain; a test compares the two.
create or replace function append_report_delta() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.status in ('PAID', 'COMPLETE') then
      insert into report_deltas
          (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share)
        values (old.tripdate, old.driver, old.fleetadmin, -1, 0, -old.trip_cost, -old.convenience_fees,
          -old.discount_amount, -old.driver_share);
    elsif old.status = 'CANCELLED' then
      insert into report_deltas
          (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share)
        values (old.tripdate, old.driver, old.fleetadmin, 0, -1, 0, 0, 0, 0);
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.status in ('PAID', 'COMPLETE') then
      insert into report_deltas
          (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share)
        values (new.tripdate, new.driver, new.fleetadmin, 1, 0, new.trip_cost, new.convenience_fees,
          new.discount_amount, new.driver_share);
    elsif new.status = 'CANCELLED' then
      insert into report_deltas
          (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share)
        values (new.tripdate, new.driver, new.fleetadmin, 0, 1, 0, 0, 0, 0);
    end if;
  end if;
  return null;
end $$;

create trigger bookings_reported_insert after insert on bookings for each row
  when (new.status in ('PAID', 'COMPLETE', 'CANCELLED')) execute function append_report_delta();

-- Most changes of a trip stop at this condition, which costs no function call.
create trigger bookings_reported_update after update on bookings for each row
  when ((old.status in ('PAID', 'COMPLETE', 'CANCELLED') or new.status in ('PAID', 'COMPLETE', 'CANCELLED'))
    and ((old.status in ('PAID', 'COMPLETE')) <> (new.status in ('PAID', 'COMPLETE'))
      or (old.status = 'CANCELLED') <> (new.status = 'CANCELLED')
      or (old.tripdate, old.driver, old.fleetadmin, old.trip_cost, old.convenience_fees, old.discount_amount,
          old.driver_share)
        is distinct from (new.tripdate, new.driver, new.fleetadmin, new.trip_cost, new.convenience_fees,
          new.discount_amount, new.driver_share)))
  execute function append_report_delta();

create trigger bookings_reported_delete after delete on bookings for each row
  when (old.status in ('PAID', 'COMPLETE', 'CANCELLED')) execute function append_report_delta();
