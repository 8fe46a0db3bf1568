-- Raises HN021 while an attempt to pay a booking is under way. Asked after the booking was changed: whoever begins an
-- attempt locks the booking first, so that one of the two sees the other.
CREATE FUNCTION expect_no_attempt(awaited uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
begin
  if exists (select from payments where booking = awaited and state in ('created', 'started', 'pending')) then
    raise exception 'an attempt to pay is under way' using errcode = 'HN021';
  end if;
end
$$;
