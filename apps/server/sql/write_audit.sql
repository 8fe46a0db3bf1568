-- Writes audit rows and publishes a change of the tables that show them.
create or replace function write_audit(records jsonb) returns void language sql as $$
  insert into audit_log (id, at, by_user, by_name, action, kind, subject, label, version, person, before, after)
    select r.id, r.at, r.by_user, coalesce(u.first_name || ' ' || u.last_name, ''), r.action, r.kind, r.subject, r.label,
      r.version, r.person, nullif(r.before, 'null'), nullif(r.after, 'null')
    from jsonb_to_recordset(records) as r(id uuid, at bigint, by_user uuid, action text, kind text, subject text,
      label text, version integer, person uuid, before jsonb, after jsonb)
    left join users u on u.id = r.by_user;
  insert into outbox (at, kind, payload)
    select (extract(epoch from clock_timestamp()) * 1000)::bigint, 'table.news',
      jsonb_build_object('kind', r.kind, 'person', r.person)
    from jsonb_to_recordset(records) as r(kind text, person uuid)
$$;
