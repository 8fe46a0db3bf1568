-- The account under which a leg is summed: all users, all trips and all dues are one account each.
create or replace function ledger_sum_account(account text) returns text language sql immutable as
  $$ select case when account like 'user:%' then 'user' when account like 'trip:%' then 'trip'
    when account like 'due:%' then 'due' else account end $$;
