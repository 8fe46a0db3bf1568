-- Adds new ledger legs to the sums by account.
create or replace function append_ledger_sums() returns trigger language plpgsql as $$
begin
  insert into ledger_sums (account, amount)
    select ledger_sum_account(account), sum(amount) from new_legs group by 1 having sum(amount) <> 0;
  return null;
end $$;

create trigger ledger_legs_summed after insert on ledger_legs referencing new table as new_legs
  for each statement execute function append_ledger_sums();
