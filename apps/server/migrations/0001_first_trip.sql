CREATE TABLE "booking_events" (
	"booking_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"at" bigint NOT NULL,
	"actor" text NOT NULL,
	"by_user" uuid,
	"command" text NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"reason" text,
	CONSTRAINT "booking_events_booking_id_version_pk" PRIMARY KEY("booking_id","version")
);
--> statement-breakpoint
CREATE TABLE "booking_requests" (
	"booking_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"wave" smallint NOT NULL,
	"requested_at" bigint NOT NULL,
	"expires_at" bigint,
	"pickup_km" double precision NOT NULL,
	"pickup_s" double precision NOT NULL,
	CONSTRAINT "booking_requests_booking_id_driver_id_pk" PRIMARY KEY("booking_id","driver_id")
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"status" text NOT NULL,
	"car_type_id" uuid NOT NULL,
	"car_type" text NOT NULL,
	"car_image" text,
	"fare_rule" jsonb NOT NULL,
	"cancel_slab" jsonb NOT NULL,
	"decimal" smallint NOT NULL,
	"convert_to_mile" boolean NOT NULL,
	"currency" text NOT NULL,
	"customer" uuid NOT NULL,
	"customer_name" text NOT NULL,
	"customer_contact" text,
	"customer_email" text NOT NULL,
	"customer_image" text,
	"driver" uuid,
	"driver_name" text,
	"driver_image" text,
	"driver_contact" text,
	"vehicle_number" text,
	"vehicle_make" text,
	"vehicle_model" text,
	"driver_rating" double precision,
	"fleetadmin" uuid,
	"pickup" jsonb NOT NULL,
	"drop" jsonb NOT NULL,
	"route" text NOT NULL,
	"estimate" bigint NOT NULL,
	"estimate_distance" double precision NOT NULL,
	"estimate_time" double precision NOT NULL,
	"distance" double precision,
	"distance_filled" double precision,
	"tripdate" bigint NOT NULL,
	"booking_date" bigint NOT NULL,
	"book_later" boolean NOT NULL,
	"accepted_at" bigint,
	"promised_arrival" bigint,
	"driver_arrive_time" bigint,
	"trip_start_time" bigint,
	"trip_end_time" bigint,
	"total_trip_time" double precision,
	"closed_at" bigint,
	"otp" text,
	"otp_tries" smallint DEFAULT 0 NOT NULL,
	"otp_blocked_until" bigint,
	"booking_type_admin" boolean DEFAULT false NOT NULL,
	"reason" text,
	"cancelled_by" text,
	"cancellation_fee" bigint DEFAULT 0 NOT NULL,
	"trip_cost" bigint NOT NULL,
	"convenience_fees" bigint NOT NULL,
	"driver_share" bigint NOT NULL,
	"fare_parts" jsonb NOT NULL,
	"discount_amount" bigint DEFAULT 0 NOT NULL,
	"customer_paid" bigint DEFAULT 0 NOT NULL,
	"payment_mode" text NOT NULL,
	"gateway" text,
	"prepaid" boolean DEFAULT false NOT NULL,
	"cash_payment_amount" bigint DEFAULT 0 NOT NULL,
	"card_payment_amount" bigint DEFAULT 0 NOT NULL,
	"used_wallet_money" bigint DEFAULT 0 NOT NULL,
	"payable_amount" bigint DEFAULT 0 NOT NULL,
	"promo_applied" boolean DEFAULT false NOT NULL,
	"promo_id" uuid,
	"promo_details" jsonb,
	"rating" smallint,
	"feedback" text,
	"rider_rating" smallint,
	"rebooked_from" uuid,
	"rebooked_as" uuid,
	"excluded_drivers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"wave" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "bookings_booking_id_unique" UNIQUE("booking_id"),
	CONSTRAINT "bookings_cost_adds_up" CHECK ("bookings"."trip_cost" = "bookings"."driver_share" + "bookings"."convenience_fees"),
	CONSTRAINT "bookings_driver_claimed" CHECK ("bookings"."status" not in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE') or "bookings"."driver" is not null),
	CONSTRAINT "bookings_cancelled_by_someone" CHECK (("bookings"."status" = 'CANCELLED') = ("bookings"."cancelled_by" is not null)),
	CONSTRAINT "bookings_rating_range" CHECK ("bookings"."rating" between 1 and 5 and "bookings"."rider_rating" between 1 and 5),
	CONSTRAINT "bookings_discount_range" CHECK ("bookings"."discount_amount" between 0 and "bookings"."trip_cost")
);
--> statement-breakpoint
CREATE TABLE "tracking" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"status" text NOT NULL,
	"lat" double precision NOT NULL,
	"lng" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cancel_reasons" (
	"value" integer PRIMARY KEY NOT NULL,
	"label" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "car_types" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"image" text,
	"base_fare" bigint NOT NULL,
	"rate_per_unit_distance" bigint NOT NULL,
	"rate_per_hour" bigint NOT NULL,
	"min_fare" bigint NOT NULL,
	"convenience_fees" bigint NOT NULL,
	"convenience_fee_type" text NOT NULL,
	"extra_info" text DEFAULT '' NOT NULL,
	"seats" integer DEFAULT 4 NOT NULL,
	"cancel_slab" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "car_types_name_unique" UNIQUE("name"),
	CONSTRAINT "car_types_not_negative" CHECK ("car_types"."base_fare" >= 0 and "car_types"."rate_per_unit_distance" >= 0 and "car_types"."rate_per_hour" >= 0 and "car_types"."min_fare" >= 0 and "car_types"."convenience_fees" >= 0 and "car_types"."seats" > 0),
	CONSTRAINT "car_types_fee_type" CHECK ("car_types"."convenience_fee_type" in ('flat', 'percentage'))
);
--> statement-breakpoint
CREATE TABLE "languages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lang_name" text NOT NULL,
	"lang_locale" text NOT NULL,
	"date_locale" text NOT NULL,
	"direction" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"key_value_pairs" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "languages_lang_locale_unique" UNIQUE("lang_locale")
);
--> statement-breakpoint
CREATE TABLE "promos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"promo_name" "citext" NOT NULL,
	"promo_description" text DEFAULT '' NOT NULL,
	"promo_discount_type" text NOT NULL,
	"promo_discount_value" bigint NOT NULL,
	"max_promo_discount_value" bigint NOT NULL,
	"min_order" bigint DEFAULT 0 NOT NULL,
	"promo_validity" bigint NOT NULL,
	"promo_usage_limit" integer NOT NULL,
	"user_avail" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "promos_promo_name_unique" UNIQUE("promo_name"),
	CONSTRAINT "promos_discount_type" CHECK ("promos"."promo_discount_type" in ('flat', 'percentage')),
	CONSTRAINT "promos_within_limit" CHECK ("promos"."user_avail" >= 0 and "promos"."user_avail" <= "promos"."promo_usage_limit"),
	CONSTRAINT "promos_not_negative" CHECK ("promos"."promo_discount_value" >= 0 and "promos"."max_promo_discount_value" >= 0 and "promos"."min_order" >= 0)
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"value" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "settings_only_row" CHECK ("settings"."only")
);
--> statement-breakpoint
CREATE TABLE "saved_addresses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"description" text NOT NULL,
	"lat" double precision NOT NULL,
	"lng" double precision NOT NULL,
	"count" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"title" text NOT NULL,
	"msg" text NOT NULL,
	"params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"screen" text NOT NULL,
	"booking_id" uuid,
	"read_at" bigint,
	"dedupe" text NOT NULL,
	CONSTRAINT "user_notifications_dedupe_unique" UNIQUE("dedupe")
);
--> statement-breakpoint
CREATE TABLE "user_ratings" (
	"booking_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"rated_by" uuid NOT NULL,
	"rate" smallint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "user_ratings_booking_id_user_id_pk" PRIMARY KEY("booking_id","user_id"),
	CONSTRAINT "user_ratings_range" CHECK ("user_ratings"."rate" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" "citext" NOT NULL,
	"mobile" text,
	"usertype" text NOT NULL,
	"profile_image" text,
	"approved" boolean NOT NULL,
	"login_type" text DEFAULT 'email' NOT NULL,
	"locale" text,
	"signup_via_referral" uuid,
	"referral_id" text NOT NULL,
	"bank_name" text,
	"bank_code" text,
	"bank_account" text,
	"created_by_admin" boolean DEFAULT false NOT NULL,
	"fleetadmin" uuid,
	"push_token" text,
	"user_platform" text,
	"wallet_balance" bigint DEFAULT 0 NOT NULL,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"car_type_id" uuid,
	"vehicle_make" text,
	"vehicle_model" text,
	"vehicle_number" text,
	"other_info" text,
	"license_image" text,
	"driver_active_status" boolean DEFAULT false NOT NULL,
	"queue" boolean DEFAULT false NOT NULL,
	"lat" double precision,
	"lng" double precision,
	"bearing" double precision,
	"located_at" bigint,
	"demo" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_mobile_unique" UNIQUE("mobile"),
	CONSTRAINT "users_referral_id_unique" UNIQUE("referral_id"),
	CONSTRAINT "users_usertype" CHECK ("users"."usertype" in ('rider', 'driver', 'fleetadmin', 'admin')),
	CONSTRAINT "users_location_whole" CHECK (("users"."lat" is null) = ("users"."lng" is null)),
	CONSTRAINT "users_queue_is_drivers" CHECK (not "users"."queue" or "users"."usertype" = 'driver')
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"booking_id" uuid,
	"currency" text NOT NULL,
	"by_user" uuid,
	"note" text,
	CONSTRAINT "ledger_entries_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "ledger_legs" (
	"entry_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"account" text NOT NULL,
	"user_id" uuid,
	"amount" bigint NOT NULL,
	"balance" bigint,
	CONSTRAINT "ledger_legs_user_account" CHECK (("ledger_legs"."user_id" is not null) = ("ledger_legs"."account" like 'user:%')),
	CONSTRAINT "ledger_legs_not_zero" CHECK ("ledger_legs"."amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"scope" text PRIMARY KEY NOT NULL,
	"body_hash" text NOT NULL,
	"at" bigint NOT NULL,
	"result_id" uuid,
	"result" jsonb
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"not_before" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "booking_events" ADD CONSTRAINT "booking_events_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_requests" ADD CONSTRAINT "booking_requests_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_requests" ADD CONSTRAINT "booking_requests_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_car_type_id_car_types_id_fk" FOREIGN KEY ("car_type_id") REFERENCES "public"."car_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_customer_users_id_fk" FOREIGN KEY ("customer") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_driver_users_id_fk" FOREIGN KEY ("driver") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_fleetadmin_users_id_fk" FOREIGN KEY ("fleetadmin") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_promo_id_promos_id_fk" FOREIGN KEY ("promo_id") REFERENCES "public"."promos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_rebooked_from_bookings_id_fk" FOREIGN KEY ("rebooked_from") REFERENCES "public"."bookings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_rebooked_as_bookings_id_fk" FOREIGN KEY ("rebooked_as") REFERENCES "public"."bookings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking" ADD CONSTRAINT "tracking_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_addresses" ADD CONSTRAINT "saved_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_notifications" ADD CONSTRAINT "user_notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_ratings" ADD CONSTRAINT "user_ratings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_signup_via_referral_users_id_fk" FOREIGN KEY ("signup_via_referral") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_fleetadmin_users_id_fk" FOREIGN KEY ("fleetadmin") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_car_type_id_car_types_id_fk" FOREIGN KEY ("car_type_id") REFERENCES "public"."car_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_legs" ADD CONSTRAINT "ledger_legs_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_legs" ADD CONSTRAINT "ledger_legs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_requests_driver" ON "booking_requests" USING btree ("driver_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_one_trip_a_driver" ON "bookings" USING btree ("driver") WHERE "bookings"."status" in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED');--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_rebooked_once" ON "bookings" USING btree ("rebooked_from") WHERE "bookings"."rebooked_from" is not null;--> statement-breakpoint
CREATE INDEX "bookings_customer" ON "bookings" USING btree ("customer","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bookings_driver" ON "bookings" USING btree ("driver","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bookings_fleetadmin" ON "bookings" USING btree ("fleetadmin","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bookings_recent" ON "bookings" USING btree ("tripdate" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bookings_status" ON "bookings" USING btree ("status","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_point_once" ON "tracking" USING btree ("booking_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "languages_one_default" ON "languages" USING btree ("is_default") WHERE "languages"."is_default";--> statement-breakpoint
CREATE INDEX "saved_addresses_user" ON "saved_addresses" USING btree ("user_id","count");--> statement-breakpoint
CREATE INDEX "user_notifications_user" ON "user_notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "user_ratings_user" ON "user_ratings" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_free_drivers" ON "users" USING btree ("car_type_id") WHERE "users"."usertype" = 'driver' and "users"."approved" and "users"."driver_active_status";--> statement-breakpoint
CREATE INDEX "users_fleet" ON "users" USING btree ("fleetadmin") WHERE "users"."fleetadmin" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_booking" ON "ledger_entries" USING btree ("booking_id");--> statement-breakpoint
CREATE INDEX "ledger_legs_entry" ON "ledger_legs" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "ledger_legs_user" ON "ledger_legs" USING btree ("user_id","entry_id") WHERE "ledger_legs"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_legs_account" ON "ledger_legs" USING btree ("account");--> statement-breakpoint
CREATE INDEX "idempotency_keys_at" ON "idempotency_keys" USING btree ("at");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("not_before","id");