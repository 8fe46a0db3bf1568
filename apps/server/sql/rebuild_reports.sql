-- Recounts all report sums from the bookings, with the calendar days of `zone`: after a change of the time zone, and after
-- rows were loaded with triggers disabled. Deletes the deltas in the statement that reads the bookings, so nothing counts
-- twice and no booking has to wait. Rows that are read together are inserted together.
create or replace function rebuild_reports(zone text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305001);
  delete from report_days;
  delete from report_drivers;
  insert into report_state (timezone) values (zone) on conflict ("only") do update set timezone = excluded.timezone;
  with gone as (delete from report_deltas),
  counted as (
    select s.scope, report_day(b.tripdate, zone) as day, b.driver, b.status <> 'CANCELLED' as rides, b.trip_cost,
        b.convenience_fees, b.discount_amount, b.driver_share
      from bookings b, lateral (values ('00000000-0000-0000-0000-000000000000'::uuid), (b.fleetadmin)) s(scope)
      where b.status in ('PAID', 'COMPLETE', 'CANCELLED') and s.scope is not null),
  days as (
    insert into report_days
      select scope, day, count(*) filter (where rides), count(*) filter (where not rides),
          coalesce(sum(trip_cost) filter (where rides), 0)::bigint,
          coalesce(sum(convenience_fees) filter (where rides), 0)::bigint,
          coalesce(sum(discount_amount) filter (where rides), 0)::bigint,
          coalesce(sum(driver_share) filter (where rides), 0)::bigint
        from counted group by scope, day order by scope, day)
  insert into report_drivers
    select m.scope, m.driver, g.grain, g.period, sum(m.rides), sum(m.driver_share)::bigint
      from (
        select scope, driver, day, count(*) as rides, sum(driver_share) as driver_share
          from counted where rides and driver is not null group by scope, driver, day) m, report_grains(m.day) g
      group by m.scope, m.driver, g.grain, g.period order by m.scope, g.grain, g.period, 6;
end $$;
