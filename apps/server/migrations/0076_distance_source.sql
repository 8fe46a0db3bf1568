ALTER TABLE "bookings" ADD COLUMN "distance_source" text;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "distance_unmatched" double precision;