-- Rejects changes of the audit log, except removing personal data (erase_from_audit).
create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('hansom.forgetting', true) = 'on'
    and (new.id, new.at, new.by_user, new.action, new.kind, new.subject, new.person)
      is not distinct from (old.id, old.at, old.by_user, old.action, old.kind, old.subject, old.person) then
    return new;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $$;

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_is_append_only();

create trigger audit_log_not_emptied before truncate on audit_log
  for each statement execute function audit_log_is_append_only();
