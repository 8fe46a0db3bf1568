-- Combines the rows of each account into one, in one statement, so a reader sees the old rows or the new one. Returns the
-- number of combined rows; 0 when another session is folding.
create or replace function fold_ledger_sums() returns int language plpgsql as $$
declare
  taken int;
begin
  if not pg_try_advisory_xact_lock(7305002) then return 0; end if;
  with gone as (delete from ledger_sums returning account, amount),
  kept as (insert into ledger_sums (account, amount) select account, sum(amount) from gone group by account)
  select count(*) into taken from gone;
  return taken;
end $$;
