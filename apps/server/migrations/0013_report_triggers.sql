-- Adds what a change of a booking takes out of the sums and what it brings in: PAID and COMPLETE bring their figures,
-- CANCELLED is only counted (`earningsOf` in the domain is the rule; a test compares the two). Called only when something
-- of it changes.
CREATE FUNCTION append_report_delta() RETURNS trigger LANGUAGE plpgsql AS $$
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
end $$;--> statement-breakpoint

CREATE TRIGGER bookings_reported_insert AFTER INSERT ON bookings FOR EACH ROW
  WHEN (new.status in ('PAID', 'COMPLETE', 'CANCELLED')) EXECUTE FUNCTION append_report_delta();--> statement-breakpoint

-- Five of six changes of a trip end at this condition, which costs no call: rating a paid trip changes no sum.
CREATE TRIGGER bookings_reported_update AFTER UPDATE ON bookings FOR EACH ROW
  WHEN ((old.status in ('PAID', 'COMPLETE', 'CANCELLED') or new.status in ('PAID', 'COMPLETE', 'CANCELLED'))
    and ((old.status in ('PAID', 'COMPLETE')) <> (new.status in ('PAID', 'COMPLETE'))
      or (old.status = 'CANCELLED') <> (new.status = 'CANCELLED')
      or (old.tripdate, old.driver, old.fleetadmin, old.trip_cost, old.convenience_fees, old.discount_amount,
          old.driver_share)
        is distinct from (new.tripdate, new.driver, new.fleetadmin, new.trip_cost, new.convenience_fees,
          new.discount_amount, new.driver_share)))
  EXECUTE FUNCTION append_report_delta();--> statement-breakpoint

CREATE TRIGGER bookings_reported_delete AFTER DELETE ON bookings FOR EACH ROW
  WHEN (old.status in ('PAID', 'COMPLETE', 'CANCELLED')) EXECUTE FUNCTION append_report_delta();--> statement-breakpoint

-- With all bookings all sums go; whoever truncates has locked out everybody else.
CREATE FUNCTION empty_reports() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  truncate report_deltas, report_days, report_drivers;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER bookings_reported_truncate AFTER TRUNCATE ON bookings FOR EACH STATEMENT
  EXECUTE FUNCTION empty_reports();--> statement-breakpoint

-- Small and short-lived: without this the scan of what is new would walk over what has long been taken.
ALTER TABLE report_deltas SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);--> statement-breakpoint

-- The moment's calendar day in a zone.
CREATE FUNCTION report_day(moment bigint, zone text) RETURNS date LANGUAGE sql STABLE AS
  $$ select (to_timestamp(moment / 1000.0) at time zone zone)::date $$;--> statement-breakpoint

-- Takes up to `most` rows of what is new into the sums, in one statement: a row is either new or in the sums for
-- everybody who looks. One at a time; whoever finds another at it leaves it to that one. Returns how many it took.
CREATE FUNCTION fold_reports(most int) RETURNS int LANGUAGE plpgsql AS $$
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
end $$;--> statement-breakpoint

-- The levels a day belongs to: 0 all time, 1 its year, 2 its month.
CREATE FUNCTION report_grains(day date) RETURNS TABLE (grain smallint, period int) LANGUAGE sql IMMUTABLE AS $$
  select 0::smallint, 0
  union all select 1::smallint, extract(year from day)::int
  union all select 2::smallint, extract(year from day)::int * 100 + extract(month from day)::int
$$;--> statement-breakpoint

-- Counts everything anew from the bookings, with the days of `zone`. What is new is taken in the statement that reads
-- the bookings, and so in the same state of them: nobody who changes a booking has to wait, and nothing counts twice.
-- For another zone, and after rows were loaded with the triggers off.
CREATE FUNCTION rebuild_reports(zone text) RETURNS void LANGUAGE plpgsql AS $$
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
        from counted group by scope, day)
  insert into report_drivers
    select m.scope, m.driver, g.grain, g.period, sum(m.rides), sum(m.driver_share)::bigint
      from (
        select scope, driver, day, count(*) as rides, sum(driver_share) as driver_share
          from counted where rides and driver is not null group by scope, driver, day) m, report_grains(m.day) g
      group by m.scope, m.driver, g.grain, g.period;
end $$;--> statement-breakpoint

SELECT rebuild_reports(coalesce((select value->>'timezone' from settings), 'America/Montevideo'));
