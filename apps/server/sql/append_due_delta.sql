-- Appends the change of a due to the report sums: the part of a driver's share or cancellation fee that the rider has not
-- paid, or that was waived. The rule is `waitingOf` in the domain.
create or replace function append_due_delta() returns trigger language plpgsql as $$
declare
  more bigint := new.open + new.waived - case tg_op when 'INSERT' then 0 else old.open + old.waived end;
begin
  insert into report_deltas (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount,
      driver_share, waiting_share, waiting_fees)
    select b.tripdate, b.driver, b.fleetadmin, 0, 0, 0, 0, 0, 0, case b.status when 'CANCELLED' then 0 else more end,
        case b.status when 'CANCELLED' then more else 0 end
      from bookings b where b.id = new.booking_id and more <> 0;
  return null;
end $$;

create trigger dues_reported after insert or update of open, waived on dues for each row
  execute function append_due_delta();
