-- Begins the term of a server that took the lock, and returns its number. HN010: servers share the database (share_term).
create or replace function begin_term() returns bigint language plpgsql as $$
declare
  begun bigint;
begin
  -- Waits for the open transactions of the previous server.
  perform pg_advisory_xact_lock(4260783);
  if exists (select from servers where renewed_at > (extract(epoch from clock_timestamp()) * 1000)::bigint - 4000) then
    raise exception 'other servers share this database' using errcode = 'HN010';
  end if;
  delete from servers;
  update server_term set term = term + 1, is_shared = false returning term into begun;
  return begun;
end $$;
