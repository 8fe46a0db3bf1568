-- Raises HN021 while a payment attempt for a booking is in progress; does nothing for null. Called after the booking was
-- changed: starting an attempt locks the booking first, so one of the two transactions sees the other.
create or replace function expect_no_attempt(awaited uuid) returns void language plpgsql strict as $$
begin
  if exists (select from payments where booking = awaited and state in ('created', 'started', 'pending')) then
    raise exception 'an attempt to pay is under way' using errcode = 'HN021';
  end if;
end
$$;
