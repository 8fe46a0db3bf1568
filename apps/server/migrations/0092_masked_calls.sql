CREATE TABLE "call_lines" (
	"phone" text NOT NULL,
	"number" text NOT NULL,
	"booking_id" uuid NOT NULL,
	"other" text NOT NULL,
	"side" text NOT NULL,
	"calls" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "call_lines_pkey" PRIMARY KEY("phone","number")
);
--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "call_number" text;--> statement-breakpoint
ALTER TABLE "call_lines" ADD CONSTRAINT "call_lines_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_lines_booking" ON "call_lines" USING btree ("booking_id");