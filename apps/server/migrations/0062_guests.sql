ALTER TABLE "users" DROP CONSTRAINT "users_mobile_unique";--> statement-breakpoint
DROP INDEX "users_by_email";--> statement-breakpoint
ALTER TABLE "bookings" ALTER COLUMN "customer_email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "passengers" smallint;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "group_id" uuid;--> statement-breakpoint
CREATE INDEX "bookings_group" ON "bookings" USING btree ("group_id") WHERE "bookings"."group_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_account_mobile" ON "users" USING btree ("mobile") WHERE "users"."email" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_guest_mobile" ON "users" USING btree ("mobile") WHERE "users"."email" is null;--> statement-breakpoint
CREATE INDEX "users_guests" ON "users" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "users"."email" is null;--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree (coalesce("email", '') desc,"id" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_passengers" CHECK ("bookings"."passengers" > 0);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_guest" CHECK ("users"."email" is not null or ("users"."usertype" = 'rider' and "users"."mobile" is not null));