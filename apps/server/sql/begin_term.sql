-- Begins the term of a server that took the lock, and returns its number.
create or replace function begin_term() returns bigint language plpgsql as $$
declare
  begun bigint;
begin
  -- Waits for the open transactions of the previous server.
  perform pg_advisory_xact_lock(4260783);
  update server_term set term = term + 1 returning term into begun;
  return begun;
end $$;
