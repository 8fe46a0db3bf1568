DROP INDEX "bookings_car_type";--> statement-breakpoint
CREATE INDEX "bookings_fleet_cost" ON "bookings" USING btree ("fleetadmin","trip_cost" DESC NULLS LAST,"id" DESC NULLS LAST);