-- Maintains the lines of masked calls: a trip has two from acceptance until it ends or loses its driver. If a phone would have one
-- line for two trips, the later one is decided again with another number.
create or replace function hold_call_lines() returns trigger language plpgsql as $$
begin
  delete from call_lines where booking_id = new.id;
  if new.call_number = '' or new.status not in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED') then
    return null;
  end if;
  if trip_line_taken(new.customer, new.driver, new.call_number, new.id) then
    raise exception 'number of masked calls is taken' using errcode = 'HN023';
  end if;
  insert into call_lines (user_id, number, booking_id, side) values
    (new.customer, new.call_number, new.id, 'rider'),
    (new.driver, new.call_number, new.id, 'driver');
  return null;
end $$;

create trigger bookings_call_lines after update of call_number, status, customer on bookings for each row
  when (old.call_number is distinct from new.call_number
    or (new.call_number <> '' and old.status <> new.status and new.status not in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED'))
    or (new.call_number <> '' and old.customer <> new.customer and new.status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')))
  execute function hold_call_lines();
