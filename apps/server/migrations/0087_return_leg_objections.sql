ALTER TABLE "bookings" ADD COLUMN "objection_to" text;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "written_off_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "delivery_stops" ADD COLUMN "unseen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "delivery_stops_unproven" ON "delivery_stops" USING btree ("done_at" DESC NULLS LAST) WHERE "delivery_stops"."unseen" or "delivery_stops"."unsigned";--> statement-breakpoint
UPDATE "bookings" SET "objection_to" = 'cash' WHERE "objection" IS NOT NULL;
