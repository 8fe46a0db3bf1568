-- Rejects changes of the ledger.
create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end $$;

create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function ledger_is_append_only();

create trigger ledger_legs_append_only before update or delete on ledger_legs
  for each row execute function ledger_is_append_only();

create trigger ledger_entries_not_emptied before truncate on ledger_entries
  for each statement execute function ledger_is_append_only();

create trigger ledger_legs_not_emptied before truncate on ledger_legs
  for each statement execute function ledger_is_append_only();
