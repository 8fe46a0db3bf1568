-- Appends what a changed refund removes from the report sums and what it adds. A refund and its dispute fee count on the day
-- when the refund was asked for; a failed one leaves only its fee. The rule is `refundFiguresOf` in the domain.
create or replace function append_refund_delta() returns trigger language plpgsql as $$
declare
  r refunds;
  sign int;
  counted bigint;
begin
  foreach sign in array case tg_op when 'INSERT' then '{1}' when 'DELETE' then '{-1}' else '{-1,1}' end::int[] loop
    if sign = 1 then r := new; else r := old; end if;
    counted := case r.state when 'failed' then 0 else sign * r.amount end;
    insert into report_deltas (tripdate, driver, fleetadmin, rides, cancelled, trip_cost, convenience_fees, discount_amount,
        driver_share, platform_refunds, driver_refunds, open_refunds, dispute_fees)
      values (r.at, r.driver, (select fleetadmin from bookings where id = r.booking), 0, 0, 0, 0, 0, 0,
        case r.bearer when 'platform' then counted else 0 end, case r.bearer when 'driver' then counted else 0 end,
        case when r.ended_at is null then counted else 0 end, sign * r.fee);
  end loop;
  return null;
end $$;

create trigger refunds_reported_insert after insert or delete on refunds for each row
  execute function append_refund_delta();

create trigger refunds_reported_update after update on refunds for each row
  when ((old.at, old.state, old.amount, old.bearer, old.driver, old.booking, old.fee, old.ended_at)
    is distinct from (new.at, new.state, new.amount, new.bearer, new.driver, new.booking, new.fee, new.ended_at))
  execute function append_refund_delta();
