CREATE TABLE "awaited_drivers" (
	"driver_id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "awaited_drivers" ADD CONSTRAINT "awaited_drivers_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "awaited_drivers" ADD CONSTRAINT "awaited_drivers_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;