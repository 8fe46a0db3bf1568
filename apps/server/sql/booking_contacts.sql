-- The searchable contacts of a booking: the rider's email address and phone number.
create or replace function booking_contacts(b bookings) returns text language sql stable as $$
  select search_fold(concat(' ', b.customer_email, ' ', b.customer_contact))
$$;
