-- Claims a driver for a trip; raises HN003 if they have one, or may not drive.
create or replace function claim_driver(driver uuid) returns void language plpgsql as $$
begin
  update users set queue = true, version = version + 1
    where id = driver and not queue and usertype = 'driver' and approved;
  if not found then raise exception 'the driver is claimed' using errcode = 'HN003'; end if;
end $$;
