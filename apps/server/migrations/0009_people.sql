DROP INDEX "users_fleet";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deleted_at" bigint;--> statement-breakpoint
CREATE INDEX "users_by_type" ON "users" USING btree ("usertype","id");--> statement-breakpoint
CREATE INDEX "users_fleet" ON "users" USING btree ("fleetadmin","id") WHERE "users"."fleetadmin" is not null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_deleted_are_out" CHECK ("users"."deleted_at" is null or not "users"."approved");--> statement-breakpoint

-- What the office searches people by; the query has the same expression.
CREATE INDEX users_search ON users USING gin ((lower(first_name || ' ' || last_name || ' ' || email::text || ' '
  || coalesce(mobile, '') || ' ' || coalesce(vehicle_number, ''))) gin_trgm_ops);--> statement-breakpoint

-- A booking for somebody whose account is being deleted at the same moment. Runs after the foreign key has locked the
-- person's row, so that it waits for the deletion and then sees it. HN007: whoever books looks at the facts again.
CREATE FUNCTION booking_customer_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if exists (select from users where id = new.customer and deleted_at is not null) then
    raise exception 'the rider is gone' using errcode = 'HN007';
  end if;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER customer_is_there AFTER INSERT ON bookings
  FOR EACH ROW EXECUTE FUNCTION booking_customer_is_there();
