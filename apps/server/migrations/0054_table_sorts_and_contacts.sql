ALTER TABLE "booking_search" ADD COLUMN "contacts" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- The search finds bookings by the rider's contacts, and by a plate without its spaces.
UPDATE booking_search s SET
    contacts = search_fold(concat(' ', b.customer_email, ' ', b.customer_contact)),
    words = search_fold(concat(' ', b.booking_id, ' ', b.customer_name, ' ', b.driver_name, ' ', b.vehicle_number, ' ',
      replace(b.vehicle_number, ' ', ''), ' ', b.pickup->>'add', ' ', b."drop"->>'add'))
  FROM bookings b WHERE b.id = s.booking_id;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "version" integer;--> statement-breakpoint
CREATE INDEX "booking_search_contacts" ON "booking_search" USING gin ("contacts" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "bookings_by_booking_date" ON "bookings" USING btree ("booking_date" DESC NULLS LAST,"id" DESC NULLS LAST,"tripdate");--> statement-breakpoint
CREATE INDEX "car_types_by_seats" ON "car_types" USING btree ("seats" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "car_types_by_base_fare" ON "car_types" USING btree ("base_fare" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "car_types_by_distance_rate" ON "car_types" USING btree ("rate_per_unit_distance" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "car_types_by_hour_rate" ON "car_types" USING btree ("rate_per_hour" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_by_payer_name" ON "payments" USING btree ("payer_name" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "promos_by_min_order" ON "promos" USING btree ("min_order" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "promos_by_limit" ON "promos" USING btree ("promo_usage_limit" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_rider_name" ON "refunds" USING btree ("rider_name" DESC NULLS LAST,"id" DESC NULLS LAST);