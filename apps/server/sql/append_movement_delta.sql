-- Appends a ledger entry that only the ledger records to the report sums: write-offs, bonuses, and credits by admins. Runs at
-- commit, when every leg of the entry exists. The rule is `movementOf` in the domain.
create or replace function append_movement_delta() returns trigger language plpgsql as $$
begin
  insert into report_deltas (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount,
      driver_share, write_offs, bonuses, credits)
    select e.at, null, b.fleetadmin, 0, 0, 0, 0, 0, 0,
        case when new.account = 'platform' then -new.amount else 0 end,
        case when new.account = 'bonus' then -new.amount else 0 end,
        case when new.account = 'adjustment' then -new.amount else 0 end
      from ledger_entries e left join bookings b on b.id = e.booking_id and new.account = 'platform'
      where e.id = new.entry_id and (new.account <> 'platform' or e.kind in ('write_off', 'objection_decided'));
  if new.account = 'bonus' then
    insert into report_deltas (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees,
        discount_amount, driver_share, driver_bonuses)
      select e.at, l.user_id, null, 0, 0, 0, 0, 0, 0, l.amount
        from ledger_entries e join ledger_legs l on l.entry_id = e.id join users u on u.id = l.user_id
        where e.id = new.entry_id and u.usertype = 'driver';
  end if;
  return null;
end $$;

create constraint trigger ledger_legs_reported after insert on ledger_legs deferrable initially deferred for each row
  when (new.account in ('platform', 'bonus', 'adjustment')) execute function append_movement_delta();
