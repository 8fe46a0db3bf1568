ALTER TABLE "trip_links" ADD COLUMN "stop" smallint;--> statement-breakpoint
ALTER TABLE "trip_links" ADD COLUMN "told" text;