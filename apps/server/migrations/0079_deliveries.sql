CREATE TABLE "deliveries" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"parcel_type" jsonb,
	"option" jsonb,
	"stop_order" text NOT NULL,
	"cash_at" text,
	"return_leg" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_proofs" (
	"booking_id" uuid NOT NULL,
	"n" smallint NOT NULL,
	"kind" text NOT NULL,
	"at" bigint NOT NULL,
	"by_user" uuid NOT NULL,
	CONSTRAINT "delivery_proofs_booking_id_n_kind_pk" PRIMARY KEY("booking_id","n","kind")
);
--> statement-breakpoint
CREATE TABLE "delivery_stops" (
	"booking_id" uuid NOT NULL,
	"n" smallint NOT NULL,
	"kind" text NOT NULL,
	"place" jsonb NOT NULL,
	"person" text NOT NULL,
	"phone" text NOT NULL,
	"email" text,
	"instructions" text,
	"window_from" bigint,
	"window_to" bigint,
	"planned_at" bigint NOT NULL,
	"share" bigint NOT NULL,
	"code" text,
	"code_tries" smallint DEFAULT 0 NOT NULL,
	"code_blocked_until" bigint,
	"outcome" text,
	"failure" text,
	"done_at" bigint,
	"done_location" jsonb,
	"received_by" text,
	"scanned" text,
	CONSTRAINT "delivery_stops_booking_id_n_pk" PRIMARY KEY("booking_id","n"),
	CONSTRAINT "delivery_stops_number" CHECK ("delivery_stops"."n" >= 0 and ("delivery_stops"."n" = 0) = ("delivery_stops"."kind" = 'pickup')),
	CONSTRAINT "delivery_stops_done" CHECK (("delivery_stops"."outcome" is null) = ("delivery_stops"."done_at" is null)),
	CONSTRAINT "delivery_stops_failure" CHECK (("delivery_stops"."outcome" is not distinct from 'failed') = ("delivery_stops"."failure" is not null)),
	CONSTRAINT "delivery_stops_window" CHECK ("delivery_stops"."window_from" < "delivery_stops"."window_to")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_proofs" ADD CONSTRAINT "delivery_proofs_by_user_users_id_fk" FOREIGN KEY ("by_user") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_proofs" ADD CONSTRAINT "delivery_proofs_booking_id_n_delivery_stops_booking_id_n_fk" FOREIGN KEY ("booking_id","n") REFERENCES "public"."delivery_stops"("booking_id","n") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_stops" ADD CONSTRAINT "delivery_stops_booking_id_deliveries_booking_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."deliveries"("booking_id") ON DELETE cascade ON UPDATE no action;