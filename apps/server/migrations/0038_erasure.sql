ALTER TABLE "users" ADD COLUMN "erased_at" bigint;--> statement-breakpoint
CREATE INDEX "user_notifications_booking" ON "user_notifications" USING btree ("booking_id") WHERE "user_notifications"."booking_id" is not null;--> statement-breakpoint
CREATE INDEX "users_to_erase" ON "users" USING btree ("id") WHERE "users"."deleted_at" is not null and "users"."erased_at" is null;--> statement-breakpoint
-- Accounts that were deleted before were erased in the same transaction.
UPDATE users SET erased_at = deleted_at WHERE deleted_at IS NOT NULL;--> statement-breakpoint

-- Takes a person out of at most this many rows of the log, and returns how many it took: what was done stays, the name
-- and all that tells of the person goes.
DROP FUNCTION forget_in_audit(uuid, text);--> statement-breakpoint
CREATE FUNCTION forget_in_audit(gone uuid, name text, most int) RETURNS int LANGUAGE plpgsql AS $$
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
