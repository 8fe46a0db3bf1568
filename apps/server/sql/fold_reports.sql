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
    insert into report_days as kept (scope, day,
        rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share, cancellation_fees, waiting_share,
        waiting_fees, write_offs, platform_refunds, driver_refunds, open_refunds, dispute_fees, bonuses, driver_bonuses,
        credits)
      select scope, day,
          sum(rides), sum(cancelled), sum(trip_cost), sum(convenience_fees), sum(discount_amount), sum(driver_share),
          sum(cancellation_fees), sum(waiting_share), sum(waiting_fees), sum(write_offs), sum(platform_refunds),
          sum(driver_refunds), sum(open_refunds), sum(dispute_fees), sum(bonuses), sum(driver_bonuses), sum(credits)
        from scoped group by scope, day
      on conflict (scope, day) do update set
        rides = kept.rides + excluded.rides, cancelled = kept.cancelled + excluded.cancelled,
        trip_cost = kept.trip_cost + excluded.trip_cost,
        convenience_fees = kept.convenience_fees + excluded.convenience_fees,
        discount_amount = kept.discount_amount + excluded.discount_amount,
        driver_share = kept.driver_share + excluded.driver_share,
        cancellation_fees = kept.cancellation_fees + excluded.cancellation_fees,
        waiting_share = kept.waiting_share + excluded.waiting_share,
        waiting_fees = kept.waiting_fees + excluded.waiting_fees, write_offs = kept.write_offs + excluded.write_offs,
        platform_refunds = kept.platform_refunds + excluded.platform_refunds,
        driver_refunds = kept.driver_refunds + excluded.driver_refunds,
        open_refunds = kept.open_refunds + excluded.open_refunds, dispute_fees = kept.dispute_fees + excluded.dispute_fees,
        bonuses = kept.bonuses + excluded.bonuses, driver_bonuses = kept.driver_bonuses + excluded.driver_bonuses,
        credits = kept.credits + excluded.credits),
  drivers as (
    insert into report_drivers as kept
        (scope, driver, grain, period, rides, driver_share, cancellation_fees, driver_bonuses, driver_refunds)
      select scope, driver, g.grain, g.period, sum(rides), sum(driver_share - waiting_share),
          sum(cancellation_fees - waiting_fees), sum(driver_bonuses), sum(driver_refunds)
        from scoped, report_grains(day) g
        where driver is not null and (rides, driver_share, waiting_share, cancellation_fees, waiting_fees, driver_bonuses,
          driver_refunds) <> (0, 0, 0, 0, 0, 0, 0)
        group by scope, driver, g.grain, g.period
      on conflict (scope, driver, grain, period) do update set rides = kept.rides + excluded.rides,
        driver_share = kept.driver_share + excluded.driver_share,
        cancellation_fees = kept.cancellation_fees + excluded.cancellation_fees,
        driver_bonuses = kept.driver_bonuses + excluded.driver_bonuses,
        driver_refunds = kept.driver_refunds + excluded.driver_refunds)
  select count(*) into taken from gone;
  return taken;
end $$;
