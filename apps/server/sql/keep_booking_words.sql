-- Maintains the searchable text of bookings.
create or replace function keep_booking_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into booking_search values (new.id, booking_words(new), booking_contacts(new));
  else
    update booking_search set words = booking_words(new), contacts = booking_contacts(new) where booking_id = new.id;
  end if;
  return null;
end $$;

create trigger bookings_words_insert after insert on bookings for each row
  execute function keep_booking_words();

-- For most bookings only once, when a driver accepts.
create trigger bookings_words_update after update on bookings for each row
  when ((old.customer_name, old.customer_email, old.customer_contact, old.driver_name, old.vehicle_number, old.pickup,
      old."drop")
    is distinct from (new.customer_name, new.customer_email, new.customer_contact, new.driver_name, new.vehicle_number,
      new.pickup, new."drop"))
  execute function keep_booking_words();
