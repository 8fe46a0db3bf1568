-- Maintains the lines of masked calls: a trip has two from acceptance until it ends or loses its driver. Two trips that take
-- one line at the same time violate the primary key, and the later one is decided again with another number.
create or replace function hold_call_lines() returns trigger language plpgsql as $$
begin
  delete from call_lines where booking_id = new.id;
  if new.call_number <> '' and new.status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED') then
    insert into call_lines (phone, number, booking_id, other, side) values
      (new.customer_contact, new.call_number, new.id, new.driver_contact, 'rider'),
      (new.driver_contact, new.call_number, new.id, new.customer_contact, 'driver');
  end if;
  return null;
end $$;

create trigger bookings_call_lines after update on bookings for each row
  when (old.call_number is distinct from new.call_number
    or (new.call_number <> '' and old.status <> new.status and new.status not in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')))
  execute function hold_call_lines();
