-- Stores what the operator's figures need of an ended booking; the requests to drivers are counted by count_offers. The rules
-- are `outcomeOf` and `areaOf` in the domain; times are of immediate bookings only. A withdrawn driver's acceptance is read
-- from the events, and only bookings with excluded drivers have one.
create or replace function save_operation(b bookings) returns void language plpgsql as $$
declare
  accepted int := (b.accepted_at is not null)::int;
  first_at bigint := b.accepted_at;
begin
  if b.excluded_drivers <> '[]' then
    select greatest(count(*), accepted), least(min(at), first_at) into accepted, first_at from booking_events
      where booking_id = b.id and command = 'accept' and at >= b.booking_date;
  end if;
  insert into report_operations
      (booking_id, tripdate, fleetadmin, car_type_id, area, outcome, reason, acceptances, accept_ms, pickup_ms, arrived)
    values (b.id, b.tripdate, b.fleetadmin, b.car_type_id,
      (floor((b.pickup ->> 'lat')::float8 * 100)::int + 9000) * 36000
        + floor((b.pickup ->> 'lng')::float8 * 100)::int + 18000,
      case when b.status <> 'CANCELLED' then 'completed'
        when b.cancelled_by = 'system' and b.reason = 'no_driver_found' then 'no_driver' else b.cancelled_by end,
      b.reason, accepted,
      case when not b.book_later and first_at is not null then greatest(0, first_at - b.booking_date) end,
      case when not b.book_later and b.driver_arrive_time is not null
        then greatest(0, b.driver_arrive_time - b.booking_date) end,
      b.driver_arrive_time is not null)
    on conflict (booking_id) do update set tripdate = excluded.tripdate, fleetadmin = excluded.fleetadmin,
      car_type_id = excluded.car_type_id, area = excluded.area, outcome = excluded.outcome, reason = excluded.reason,
      acceptances = excluded.acceptances, accept_ms = excluded.accept_ms, pickup_ms = excluded.pickup_ms,
      arrived = excluded.arrived;
end $$;
