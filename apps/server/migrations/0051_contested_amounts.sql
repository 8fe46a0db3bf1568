ALTER TABLE "bookings" ADD COLUMN "contested_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE bookings SET contested_amount = coalesce(outstanding_amount, 0) WHERE objection = 'open' AND status <> 'PENDING';--> statement-breakpoint

-- Changes a booking that still has the version it was read with; returns how many rows that were. It names every
-- column, so that its plan is made once: a migration that adds a column to bookings replaces it.
CREATE OR REPLACE FUNCTION update_booking(booking uuid, read_version int, changes jsonb) RETURNS int LANGUAGE plpgsql AS $$
declare
  hits int;
begin
  update bookings b set (version,
      "booking_id", "status", "car_type_id", "car_type", "car_image", "fare_rule", "cancel_slab",
      "decimal", "convert_to_mile", "currency", "customer", "customer_name", "customer_contact",
      "customer_email", "customer_image", "driver", "driver_name", "driver_image", "driver_contact",
      "vehicle_number", "vehicle_make", "vehicle_model", "driver_rating", "fleetadmin", "pickup", "drop",
      "route", "estimate", "estimate_distance", "estimate_time", "distance", "distance_filled", "tripdate",
      "booking_date", "book_later", "accepted_at", "promised_arrival", "driver_arrive_time",
      "trip_start_time", "trip_end_time", "total_trip_time", "closed_at", "otp", "otp_tries",
      "otp_blocked_until", "booking_type_admin", "reason", "cancelled_by", "cancellation_fee", "trip_cost",
      "convenience_fees", "driver_share", "fare_parts", "discount_amount", "customer_paid", "payment_mode",
      "gateway", "prepaid", "cash_payment_amount", "card_payment_amount", "used_wallet_money",
      "payable_amount", "promo_applied", "promo_id", "promo_details", "rating", "feedback", "rider_rating",
      "rebooked_from", "rebooked_as", "excluded_drivers", "wave", "arrival_received_at", "outstanding_amount",
      "outstanding_collected", "cash_answer", "objection", "contested_amount") = (
    select b.version + 1,
      r."booking_id", r."status", r."car_type_id", r."car_type", r."car_image", r."fare_rule",
      r."cancel_slab", r."decimal", r."convert_to_mile", r."currency", r."customer", r."customer_name",
      r."customer_contact", r."customer_email", r."customer_image", r."driver", r."driver_name",
      r."driver_image", r."driver_contact", r."vehicle_number", r."vehicle_make", r."vehicle_model",
      r."driver_rating", r."fleetadmin", r."pickup", r."drop", r."route", r."estimate",
      r."estimate_distance", r."estimate_time", r."distance", r."distance_filled", r."tripdate",
      r."booking_date", r."book_later", r."accepted_at", r."promised_arrival", r."driver_arrive_time",
      r."trip_start_time", r."trip_end_time", r."total_trip_time", r."closed_at", r."otp", r."otp_tries",
      r."otp_blocked_until", r."booking_type_admin", r."reason", r."cancelled_by", r."cancellation_fee",
      r."trip_cost", r."convenience_fees", r."driver_share", r."fare_parts", r."discount_amount",
      r."customer_paid", r."payment_mode", r."gateway", r."prepaid", r."cash_payment_amount",
      r."card_payment_amount", r."used_wallet_money", r."payable_amount", r."promo_applied", r."promo_id",
      r."promo_details", r."rating", r."feedback", r."rider_rating", r."rebooked_from", r."rebooked_as",
      r."excluded_drivers", r."wave", r."arrival_received_at", r."outstanding_amount",
      r."outstanding_collected", r."cash_answer", r."objection", r."contested_amount"
    from jsonb_populate_record(b, changes) r)
  where b.id = booking and b.version = read_version;
  get diagnostics hits = row_count;
  return hits;
end $$;--> statement-breakpoint

-- The account that a leg's account is counted under: all users are one, all trips are one, and so are all dues.
CREATE OR REPLACE FUNCTION ledger_account_counted(account text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ select case when account like 'user:%' then 'user' when account like 'trip:%' then 'trip'
    when account like 'due:%' then 'due' else account end $$;--> statement-breakpoint
UPDATE ledger_sums SET account = 'due' WHERE account LIKE 'due:%';--> statement-breakpoint
SELECT fold_ledger_sums();
