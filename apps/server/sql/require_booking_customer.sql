-- Rejects a booking for a user whose account is being deleted. The foreign key has locked the user's row, so this waits
-- for the deletion and sees its outcome.
create or replace function require_booking_customer() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.customer and deleted_at is not null) then
    raise exception 'the rider is gone' using errcode = 'HN007';
  end if;
  return null;
end $$;

create trigger require_customer after insert on bookings
  for each row execute function require_booking_customer();
