CREATE TABLE "receipt_counters" (
	"year" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"booking" uuid PRIMARY KEY NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"serial" text NOT NULL,
	"issued_at" bigint NOT NULL,
	"issuer" jsonb NOT NULL,
	"tax" jsonb NOT NULL,
	CONSTRAINT "receipts_serial_unique" UNIQUE("serial"),
	CONSTRAINT "receipts_number" UNIQUE("year","number"),
	CONSTRAINT "receipts_counted" CHECK ("receipts"."number" > 0)
);
--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_booking_bookings_id_fk" FOREIGN KEY ("booking") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;