-- Rejects a transaction of a server that another server has replaced (HN009). While the transaction is open, no other
-- server can begin its term.
create or replace function check_term(mine bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(4260783);
  if mine is distinct from (select term from server_term) then
    raise exception 'another server works on this database' using errcode = 'HN009';
  end if;
end $$;
