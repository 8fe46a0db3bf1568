-- Recounts all sums from the legs, after rows were loaded with triggers disabled. Blocks writers.
create or replace function rebuild_ledger_sums() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305002);
  lock table ledger_legs in share mode;
  delete from ledger_sums;
  insert into ledger_sums (account, amount)
    select ledger_sum_account(account), sum(amount) from ledger_legs group by 1 having sum(amount) <> 0;
end $$;
