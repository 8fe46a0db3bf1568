-- Counts what prevents archiving a car type: its drivers, and the bookings that are not yet driven or paid.
create or replace function car_type_uses(of_type uuid, out drivers integer, out bookings integer) stable language sql as $$
  select
    (select count(*)::int from users where car_type_id = of_type and usertype = 'driver' and deleted_at is null),
    (select count(*)::int from bookings where car_type_id = of_type
      and status in ('PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING'))
$$;
