CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"by_user" uuid NOT NULL,
	"by_name" text NOT NULL,
	"action" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"label" text NOT NULL,
	"person" uuid,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_by" ON "audit_log" USING btree ("by_user","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("kind","subject","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_kind" ON "audit_log" USING btree ("kind","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_person" ON "audit_log" USING btree ("person");--> statement-breakpoint

-- What the log is searched by; the query has the same expression.
CREATE INDEX audit_log_search ON audit_log USING gin ((lower(label || ' ' || by_name || ' ' || action)) gin_trgm_ops);--> statement-breakpoint

CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'UPDATE' and current_setting('hansom.forgetting', true) = 'on'
    and (new.id, new.at, new.by_user, new.action, new.kind, new.subject, new.person)
      is not distinct from (old.id, old.at, old.by_user, old.action, old.kind, old.subject, old.person) then
    return new;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $$;--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();--> statement-breakpoint
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();--> statement-breakpoint

-- Writes rows of the log; the name is that of the person at this moment.
CREATE FUNCTION write_audit(records jsonb) RETURNS void LANGUAGE sql AS $$
  insert into audit_log (id, at, by_user, by_name, action, kind, subject, label, person, before, after)
    select r.id, r.at, r.by_user, coalesce(u.first_name || ' ' || u.last_name, ''), r.action, r.kind, r.subject, r.label,
      r.person, nullif(r.before, 'null'), nullif(r.after, 'null')
    from jsonb_to_recordset(records) as r(id uuid, at bigint, by_user uuid, action text, kind text, subject text,
      label text, person uuid, before jsonb, after jsonb)
    left join users u on u.id = r.by_user
$$;--> statement-breakpoint

-- Takes a person out of the log: what was done stays, the name and all that tells of the person goes.
CREATE FUNCTION forget_in_audit(gone uuid, name text) RETURNS void LANGUAGE plpgsql AS $$
declare
  impersonal text[] := array['usertype', 'approved', 'fleetadmin', 'driverActiveStatus', 'car_type_id', 'amount',
    'balance', 'processed', 'refused', 'walletBalance'];
begin
  perform set_config('hansom.forgetting', 'on', true);
  update audit_log set label = name,
      before = (select jsonb_object_agg(key, value) from jsonb_each(before) where key = any(impersonal)),
      after = (select jsonb_object_agg(key, value) from jsonb_each(after) where key = any(impersonal))
    where person = gone;
  update audit_log set by_name = name where by_user = gone;
  perform set_config('hansom.forgetting', 'off', true);
end $$;
