-- Moves up to `most` deltas into the report sums, in one statement, so a reader counts each delta exactly once. Returns the
-- number of moved deltas; 0 when another session is folding.
create or replace function fold_reports(most int) returns int language plpgsql as $$
declare
  taken int;
begin
  if not pg_try_advisory_xact_lock(7305001) then return 0; end if;
  with gone as (
    delete from report_deltas where id = any (array(select id from report_deltas order by id limit most))
      returning *),
  scoped as (
    select s.scope, gone.*, report_day(tripdate, timezone) as day
      from gone, report_state,
        lateral (values ('00000000-0000-0000-0000-000000000000'::uuid), (gone.fleetadmin)) s(scope)
      where s.scope is not null),
  days as (
    insert into report_days
      select scope, day, sum(rides), sum(cancelled), sum(trip_cost)::bigint, sum(convenience_fees)::bigint,
          sum(discount_amount)::bigint, sum(driver_share)::bigint
        from scoped group by scope, day
      on conflict (scope, day) do update set rides = report_days.rides + excluded.rides,
        cancelled = report_days.cancelled + excluded.cancelled,
        trip_cost = report_days.trip_cost + excluded.trip_cost,
        convenience_fees = report_days.convenience_fees + excluded.convenience_fees,
        discount_amount = report_days.discount_amount + excluded.discount_amount,
        driver_share = report_days.driver_share + excluded.driver_share),
  drivers as (
    insert into report_drivers
      select scope, driver, g.grain, g.period, sum(rides), sum(driver_share)::bigint
        from scoped, report_grains(day) g where driver is not null and (rides <> 0 or driver_share <> 0)
        group by scope, driver, g.grain, g.period
      on conflict (scope, driver, grain, period) do update set rides = report_drivers.rides + excluded.rides,
        driver_share = report_drivers.driver_share + excluded.driver_share)
  select count(*) into taken from gone;
  return taken;
end $$;
