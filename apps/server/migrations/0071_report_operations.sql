CREATE TABLE "report_operations" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"tripdate" bigint,
	"fleetadmin" uuid,
	"car_type_id" uuid,
	"area" integer,
	"outcome" text,
	"reason" text,
	"offers" integer DEFAULT 0 NOT NULL,
	"acceptances" integer DEFAULT 0 NOT NULL,
	"accept_ms" bigint,
	"pickup_ms" bigint,
	"arrived" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_operations" ADD CONSTRAINT "report_operations_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_operations_recent" ON "report_operations" USING btree ("tripdate") WHERE "report_operations"."outcome" is not null;--> statement-breakpoint
CREATE INDEX "report_operations_fleet" ON "report_operations" USING btree ("fleetadmin","tripdate") WHERE "report_operations"."outcome" is not null;--> statement-breakpoint
CREATE INDEX "report_operations_area" ON "report_operations" USING btree ("area","tripdate") WHERE "report_operations"."outcome" is not null;--> statement-breakpoint
CREATE INDEX "report_operations_reason" ON "report_operations" USING btree ("reason","tripdate") WHERE "report_operations"."outcome" <> 'completed';--> statement-breakpoint
CREATE INDEX "report_operations_outcome" ON "report_operations" USING btree ("outcome","tripdate") WHERE "report_operations"."outcome" <> 'completed';