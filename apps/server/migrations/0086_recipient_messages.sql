CREATE TABLE "recipient_message_counts" (
	"day" date NOT NULL,
	"key" text NOT NULL,
	"sent" integer NOT NULL,
	CONSTRAINT "recipient_message_counts_day_key_pk" PRIMARY KEY("day","key")
);
--> statement-breakpoint
DROP INDEX "trip_links_of_stop";--> statement-breakpoint
ALTER TABLE "delivery_stops" ADD COLUMN "not_informed" text;--> statement-breakpoint
ALTER TABLE "trip_links" RENAME COLUMN "told" TO "message";--> statement-breakpoint
ALTER TABLE "trip_links" ADD COLUMN "sent_at" bigint;--> statement-breakpoint
-- Links whose message was not sent: the job makes another one.
DELETE FROM "trip_links" WHERE "stop" is not null AND "message" is null;--> statement-breakpoint
UPDATE "trip_links" SET "sent_at" = "created_at" WHERE "stop" is not null;--> statement-breakpoint
-- Messages are stored with the first of the bookings that replace each other.
WITH RECURSIVE before AS (
	SELECT l."token_hash", b."id", b."rebooked_from" FROM "trip_links" l JOIN "bookings" b ON b."id" = l."booking_id"
		WHERE l."stop" is not null
	UNION ALL
	SELECT f."token_hash", b."id", b."rebooked_from" FROM before f JOIN "bookings" b ON b."id" = f."rebooked_from"
)
UPDATE "trip_links" l SET "booking_id" = f."id" FROM before f
	WHERE f."token_hash" = l."token_hash" AND f."rebooked_from" is null AND l."booking_id" <> f."id";--> statement-breakpoint
-- A message that was sent twice has one row, with the link that was sent last.
DELETE FROM "trip_links" a USING "trip_links" b
	WHERE a."stop" is not null AND a."booking_id" = b."booking_id" AND a."stop" = b."stop" AND a."message" = b."message"
		AND (a."created_at", a."token_hash") < (b."created_at", b."token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "trip_links_once" ON "trip_links" USING btree ("booking_id","stop","message") WHERE "trip_links"."stop" is not null and "trip_links"."revoked_at" is null;--> statement-breakpoint
ALTER TABLE "trip_links" ADD CONSTRAINT "trip_links_message" CHECK (("trip_links"."stop" is null) = ("trip_links"."message" is null));
