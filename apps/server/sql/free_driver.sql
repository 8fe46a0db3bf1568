-- Ends the claim of a driver whose trip is over.
create or replace function free_driver(driver uuid) returns void language plpgsql as $$
begin
  update users set queue = false, version = version + 1 where id = driver and queue;
end $$;
