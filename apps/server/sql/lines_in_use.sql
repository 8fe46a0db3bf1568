-- The numbers of masked calls that a trip's rider and driver, or people with the same phones, already use, as JSON.
create or replace function lines_in_use(rider uuid, driver uuid) returns jsonb language plpgsql stable as $$
begin
  return (select coalesce(jsonb_agg(l.number), '[]') from call_lines l where l.user_id in (
    select s.id from user_facts p join user_facts s on s.mobile = p.mobile and s.email is not null
      where p.id in (rider, driver)
    union all select s.id from user_facts p join user_facts s on s.mobile = p.mobile and s.email is null
      where p.id in (rider, driver)));
end $$;
