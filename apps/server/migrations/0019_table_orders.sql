DROP INDEX "users_by_date";--> statement-breakpoint
DROP INDEX "users_by_email";--> statement-breakpoint
CREATE INDEX "bookings_car_type_cost" ON "bookings" USING btree ("car_type_id","trip_cost" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "users_by_date" ON "users" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree ("email" DESC NULLS LAST,"id" DESC NULLS LAST);