-- Replaces a deleted user's name with `name` in up to `most` audit rows about them and by them, and removes their personal
-- data. Returns the number of changed rows.
create or replace function erase_from_audit(gone uuid, name text, most int) returns int language plpgsql as $$
declare
  impersonal text[] := array['usertype', 'approved', 'fleetadmin', 'driverActiveStatus', 'car_type_id', 'amount',
    'balance', 'processed', 'refused', 'walletBalance'];
  about int;
  done_by int;
begin
  perform set_config('hansom.forgetting', 'on', true);
  with found as (select a.id from audit_log a where a.person = gone and a.label <> name limit most)
  update audit_log a set label = name,
      before = (select jsonb_object_agg(key, value) from jsonb_each(a.before) where key = any(impersonal)),
      after = (select jsonb_object_agg(key, value) from jsonb_each(a.after) where key = any(impersonal))
    from found where a.id = found.id;
  get diagnostics about = row_count;
  with found as (select a.id from audit_log a where a.by_user = gone and a.by_name <> name limit most)
  update audit_log a set by_name = name from found where a.id = found.id;
  get diagnostics done_by = row_count;
  perform set_config('hansom.forgetting', 'off', true);
  return about + done_by;
end $$;
