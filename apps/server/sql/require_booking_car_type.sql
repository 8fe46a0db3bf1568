-- Rejects a booking with a car type that is being archived. The foreign key has locked the car type's row, so this waits
-- for the archiving transaction, which locks it for update, and sees its outcome.
create or replace function require_booking_car_type() returns trigger language plpgsql as $$
begin
  if exists (select from car_types where id = new.car_type_id and archived_at is not null) then
    raise exception 'the car type is gone' using errcode = 'HN007';
  end if;
  return null;
end $$;

create trigger require_car_type after insert on bookings
  for each row execute function require_booking_car_type();

create trigger require_new_car_type after update of car_type_id on bookings for each row
  when (old.car_type_id is distinct from new.car_type_id) execute function require_booking_car_type();
