-- Recounts all report sums from bookings, dues, refunds and the ledger, with the calendar days of `zone`: after a change of
-- the time zone or of the figures, and after rows were loaded with triggers disabled. Deletes the deltas in the statement
-- that reads the records, so nothing counts twice and no writer has to wait. Rows that are read together are inserted
-- together.
create or replace function rebuild_reports(zone text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305001);
  -- Entries that this transaction has just written append their deltas now, not at its end, when nothing deletes them.
  set constraints ledger_legs_reported immediate;
  set constraints ledger_legs_reported deferred;
  -- Only bookings that have none: rows of the others do not depend on the time zone, and stay unlocked.
  perform save_operation(b) from bookings b where b.status in ('PENDING', 'PAID', 'COMPLETE', 'CANCELLED')
    and not exists (select from report_operations o where o.booking_id = b.id and o.outcome is not null);
  delete from report_days;
  delete from report_drivers;
  insert into report_state (timezone, figures) values (zone, 3)
    on conflict ("only") do update set timezone = excluded.timezone, figures = excluded.figures;
  with gone as (delete from report_deltas),
  lines (at, driver, fleetadmin,
      rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share, cancellation_fees, waiting_share,
      waiting_fees, write_offs, platform_refunds, driver_refunds, open_refunds, dispute_fees, bonuses, driver_bonuses,
      credits) as (
    select b.tripdate, b.driver, b.fleetadmin,
        (b.status <> 'CANCELLED')::int, (b.status = 'CANCELLED')::int,
        case b.status when 'CANCELLED' then 0 else b.trip_cost end,
        case b.status when 'CANCELLED' then 0 else b.convenience_fees end,
        case b.status when 'CANCELLED' then 0 else b.discount_amount end,
        case b.status when 'CANCELLED' then 0 else b.driver_share end,
        case b.status when 'CANCELLED' then b.cancellation_fee else 0 end, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
      from bookings b where b.status in ('PAID', 'COMPLETE', 'CANCELLED')
    union all
    select b.tripdate, b.driver, b.fleetadmin,
        0, 0, 0, 0, 0, 0, 0, case b.status when 'CANCELLED' then 0 else d.open + d.waived end,
        case b.status when 'CANCELLED' then d.open + d.waived else 0 end, 0, 0, 0, 0, 0, 0, 0, 0
      from dues d join bookings b on b.id = d.booking_id where d.open + d.waived <> 0
    union all
    select r.at, r.driver, b.fleetadmin,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, case when r.state <> 'failed' and r.bearer = 'platform' then r.amount else 0 end,
        case when r.state <> 'failed' and r.bearer = 'driver' then r.amount else 0 end,
        case when r.ended_at is null then r.amount else 0 end, r.fee, 0, 0, 0
      from refunds r left join bookings b on b.id = r.booking
    union all
    select e.at, l.user_id, b.fleetadmin,
        0, 0, 0, 0, 0, 0, 0, 0, 0, case when l.account = 'platform' then -l.amount else 0 end, 0, 0, 0, 0,
        case when l.account = 'bonus' then -l.amount else 0 end, case when l.user_id is null then 0 else l.amount end,
        case when l.account = 'adjustment' then -l.amount else 0 end
      from ledger_entries e join ledger_legs l on l.entry_id = e.id left join users u on u.id = l.user_id
        left join bookings b on b.id = e.booking_id and l.account = 'platform'
      where (l.account = 'platform' and e.kind in ('write_off', 'objection_decided'))
        or l.account in ('bonus', 'adjustment') or (e.kind = 'referral_bonus' and u.usertype = 'driver')),
  counted as (
    select s.scope, report_day(lines.at, zone) as day, lines.*
      from lines, lateral (values ('00000000-0000-0000-0000-000000000000'::uuid), (lines.fleetadmin)) s(scope)
      where s.scope is not null),
  days as (
    insert into report_days (scope, day,
        rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share, cancellation_fees, waiting_share,
        waiting_fees, write_offs, platform_refunds, driver_refunds, open_refunds, dispute_fees, bonuses, driver_bonuses,
        credits)
      select scope, day,
          sum(rides), sum(cancelled), sum(trip_cost), sum(convenience_fees), sum(discount_amount), sum(driver_share),
          sum(cancellation_fees), sum(waiting_share), sum(waiting_fees), sum(write_offs), sum(platform_refunds),
          sum(driver_refunds), sum(open_refunds), sum(dispute_fees), sum(bonuses), sum(driver_bonuses), sum(credits)
        from counted group by scope, day order by scope, day)
  insert into report_drivers
      (scope, driver, grain, period, rides, driver_share, cancellation_fees, driver_bonuses, driver_refunds)
    select m.scope, m.driver, g.grain, g.period, sum(m.rides), sum(m.driver_share), sum(m.cancellation_fees),
        sum(m.driver_bonuses), sum(m.driver_refunds)
      from (
        select scope, driver, day, sum(rides) as rides, sum(driver_share - waiting_share) as driver_share,
            sum(cancellation_fees - waiting_fees) as cancellation_fees, sum(driver_bonuses) as driver_bonuses,
            sum(driver_refunds) as driver_refunds
          from counted
          where driver is not null and (rides, driver_share, waiting_share, cancellation_fees, waiting_fees, driver_bonuses,
            driver_refunds) <> (0, 0, 0, 0, 0, 0, 0)
          group by scope, driver, day) m, report_grains(m.day) g
      group by m.scope, m.driver, g.grain, g.period order by m.scope, g.grain, g.period, 6;
end $$;
