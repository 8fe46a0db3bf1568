-- At commit, rejects an entry with fewer than two legs or with legs that do not sum to zero.
create or replace function ledger_entry_balances() returns trigger language plpgsql as $$
declare
  entry uuid;
  total numeric;
  legs int;
begin
  if tg_table_name = 'ledger_entries' then entry := new.id; else entry := new.entry_id; end if;
  select coalesce(sum(amount), 0), count(*) into total, legs from ledger_legs where entry_id = entry;
  if total <> 0 or legs < 2 then
    raise exception 'ledger entry % has % legs that sum to %', entry, legs, total
      using errcode = 'check_violation', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;

create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_entry_balances();

create constraint trigger ledger_legs_balance after insert on ledger_legs
  deferrable initially deferred for each row execute function ledger_entry_balances();
