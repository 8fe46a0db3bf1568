DROP INDEX "bookings_fleetadmin";--> statement-breakpoint
DROP INDEX "bookings_payment_mode";--> statement-breakpoint
CREATE INDEX "bookings_fleetadmin" ON "bookings" USING btree ("fleetadmin","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST,"status","car_type_id","payment_mode","book_later");--> statement-breakpoint
CREATE INDEX "bookings_payment_mode" ON "bookings" USING btree ("payment_mode","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST,"status","book_later","trip_cost");