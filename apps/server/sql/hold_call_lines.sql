-- Maintains the lines of masked calls: a trip has two from acceptance until it ends or loses its driver. Two trips that take
-- one line at the same time violate the primary key, and the later one is decided again with another number. A guest's trip
-- that an account takes over keeps its number, unless the account has a trip with this number: then its rider cannot call.
create or replace function hold_call_lines() returns trigger language plpgsql as $$
begin
  if old.customer <> new.customer and old.call_number = new.call_number then
    delete from call_lines where booking_id = new.id and side = 'rider';
    insert into call_lines (user_id, number, booking_id, side) values (new.customer, new.call_number, new.id, 'rider')
      on conflict do nothing;
    return null;
  end if;
  delete from call_lines where booking_id = new.id;
  if new.call_number <> '' and new.status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED') then
    insert into call_lines (user_id, number, booking_id, side) values
      (new.customer, new.call_number, new.id, 'rider'),
      (new.driver, new.call_number, new.id, 'driver');
  end if;
  return null;
end $$;

create trigger bookings_call_lines after update on bookings for each row
  when (old.call_number is distinct from new.call_number
    or (new.call_number <> '' and old.status <> new.status and new.status not in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED'))
    or (new.call_number <> '' and old.customer <> new.customer and new.status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')))
  execute function hold_call_lines();
