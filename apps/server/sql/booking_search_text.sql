-- The searchable text of a booking: its code, names, plate with and without spaces, and addresses.
create or replace function booking_search_text(b bookings) returns text language sql stable as $$
  select search_fold(concat(' ', b.booking_id, ' ', b.customer_name, ' ', b.driver_name, ' ', b.vehicle_number, ' ',
    replace(b.vehicle_number, ' ', ''), ' ',
    b.pickup->>'add', ' ', b."drop"->>'add'))
$$;
