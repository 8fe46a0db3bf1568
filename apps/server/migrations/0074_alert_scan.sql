ALTER TABLE "payments" ADD COLUMN "mismatch_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "review_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "waiting_since" bigint;--> statement-breakpoint
CREATE INDEX "bookings_system_cancelled" ON "bookings" USING btree ("closed_at" DESC NULLS LAST) WHERE "bookings"."status" = 'CANCELLED' and "bookings"."cancelled_by" = 'system';--> statement-breakpoint
CREATE INDEX "user_notifications_person" ON "user_notifications" USING btree (("params" ->> 'person')) WHERE "user_notifications"."params" ? 'person';--> statement-breakpoint
CREATE INDEX "users_waiting_drivers" ON "users" USING btree (coalesce("waiting_since", "created_at") desc,"id" DESC NULLS LAST) WHERE "users"."usertype" = 'driver' and not "users"."approved" and "users"."rejection" is null and "users"."deleted_at" is null;