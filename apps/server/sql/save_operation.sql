-- Stores what the operator's figures need of an ended booking; the requests to drivers are counted by count_offers. The rules
-- are `outcomeOf` and `areaOf` in the domain; times count for bookings for now only.
create or replace function save_operation(b bookings) returns void language sql as $$
  insert into report_operations
      (booking_id, tripdate, fleetadmin, car_type_id, area, outcome, reason, accepted, accept_ms, pickup_ms)
    values (b.id, b.tripdate, b.fleetadmin, b.car_type_id,
      (floor((b.pickup ->> 'lat')::float8 * 100)::int + 9000) * 36000
        + floor((b.pickup ->> 'lng')::float8 * 100)::int + 18000,
      case when b.status <> 'CANCELLED' then 'completed'
        when b.cancelled_by = 'system' and b.reason = 'no_driver_found' then 'no_driver' else b.cancelled_by end,
      b.reason, b.accepted_at is not null,
      case when not b.book_later then greatest(0, b.accepted_at - b.booking_date) end,
      case when not b.book_later then greatest(0, b.driver_arrive_time - b.booking_date) end)
    on conflict (booking_id) do update set tripdate = excluded.tripdate, fleetadmin = excluded.fleetadmin,
      car_type_id = excluded.car_type_id, area = excluded.area, outcome = excluded.outcome, reason = excluded.reason,
      accepted = excluded.accepted, accept_ms = excluded.accept_ms, pickup_ms = excluded.pickup_ms
$$;
