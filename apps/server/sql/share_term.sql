-- Lets a server share the database with others: false while a server has the lock that it takes to be alone. The first to share
-- it begins a term, so that transactions of a server that was alone are rejected (check_term).
create or replace function share_term(mine uuid, called text) returns boolean language plpgsql as $$
declare
  moment bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  if not pg_try_advisory_xact_lock_shared(4260781) then return false; end if;
  -- Waits for the open transactions of a server that was alone.
  perform pg_advisory_xact_lock(4260783);
  update server_term set term = term + 1, is_shared = true where not is_shared;
  insert into servers values (mine, called, moment, moment) on conflict (id) do update set renewed_at = moment;
  return true;
end $$;
