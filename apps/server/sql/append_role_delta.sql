-- Moves a user's bonuses into the drivers' earnings, or out of them, when the user becomes a driver or stops being one.
create or replace function append_role_delta() returns trigger language plpgsql as $$
begin
  insert into report_deltas (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount,
      driver_share, driver_bonuses)
    select e.at, l.user_id, null, 0, 0, 0, 0, 0, 0, case new.usertype when 'driver' then l.amount else -l.amount end
      from ledger_legs l join ledger_entries e on e.id = l.entry_id
      where l.user_id = new.id and e.kind = 'referral_bonus';
  return null;
end $$;

create trigger users_reported after update of usertype on users for each row
  when ((old.usertype = 'driver') <> (new.usertype = 'driver')) execute function append_role_delta();
