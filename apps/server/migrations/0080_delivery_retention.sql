ALTER TABLE "deliveries" ADD COLUMN "cleared_at" bigint;--> statement-breakpoint
CREATE INDEX "deliveries_uncleared" ON "deliveries" USING btree ("booking_id") WHERE "deliveries"."cleared_at" is null;