-- True if a call from the person's phone to a number already belongs to another trip: one of theirs, or of someone with the same
-- phone, because an account and a guest may share one. Trips of one phone wait for each other until the transaction ends.
create or replace function call_line_taken(person uuid, called text, trip uuid) returns boolean language plpgsql as $$
declare
  phone text := (select mobile from user_facts where id = person);
begin
  perform pg_advisory_xact_lock(hashtextextended('call line ' || phone, 0));
  return exists (select from call_lines l where l.number = called and l.booking_id <> trip and l.user_id in (
    select person
    union all select id from user_facts where mobile = phone and email is not null
    union all select id from user_facts where mobile = phone and email is null));
end $$;
