-- True if a call to a number already belongs to another trip for the rider or the driver.
create or replace function trip_line_taken(rider uuid, driver uuid, called text, trip uuid) returns boolean language sql as $$
  -- In the order of their phones, so that two trips of the same people cannot wait for each other.
  select coalesce(bool_or(call_line_taken(people.id, called, trip)), false)
    from (select id from user_facts where id in (rider, driver) order by mobile) people
$$;
