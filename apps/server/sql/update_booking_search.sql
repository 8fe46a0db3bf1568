-- Maintains the searchable text of bookings.
create or replace function update_booking_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into booking_search values (new.id, booking_search_text(new), booking_contacts(new));
  else
    update booking_search set words = booking_search_text(new), contacts = booking_contacts(new) where booking_id = new.id;
  end if;
  return null;
end $$;

create trigger bookings_search_insert after insert on bookings for each row
  execute function update_booking_search();

-- For most bookings only once, when a driver accepts.
create trigger bookings_search_update after update of customer_name, customer_email, customer_contact, driver_name, vehicle_number,
    pickup, "drop" on bookings for each row
  when ((old.customer_name, old.customer_email, old.customer_contact, old.driver_name, old.vehicle_number, old.pickup,
      old."drop")
    is distinct from (new.customer_name, new.customer_email, new.customer_contact, new.driver_name, new.vehicle_number,
      new.pickup, new."drop"))
  execute function update_booking_search();
