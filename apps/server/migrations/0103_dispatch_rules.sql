CREATE TABLE "dispatch_decisions" (
	"booking_id" uuid NOT NULL,
	"wave" smallint NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"strategy" text NOT NULL,
	"rule" text,
	"radius_km" double precision NOT NULL,
	"drivers" jsonb NOT NULL,
	"driver_ids" uuid[] NOT NULL,
	CONSTRAINT "dispatch_decisions_booking_id_wave_pk" PRIMARY KEY("booking_id","wave")
);
--> statement-breakpoint
CREATE TABLE "dispatch_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"priority" smallint NOT NULL,
	"days" text NOT NULL,
	"from_hour" smallint NOT NULL,
	"to_hour" smallint NOT NULL,
	"area" jsonb,
	"area_radius" double precision NOT NULL,
	"strategy" text NOT NULL,
	"wave_size" smallint NOT NULL,
	"wave_seconds" smallint NOT NULL,
	"first_radius" double precision NOT NULL,
	"batch_seconds" smallint NOT NULL,
	"ageing" smallint NOT NULL,
	"fairness" smallint NOT NULL,
	"soon_free_minutes" smallint NOT NULL,
	"created_at" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "dispatch_decisions_drivers" ON "dispatch_decisions" USING gin ("driver_ids");--> statement-breakpoint
CREATE INDEX "dispatch_decisions_at" ON "dispatch_decisions" USING btree ("at");--> statement-breakpoint
CREATE INDEX "dispatch_rules_by_priority" ON "dispatch_rules" USING btree ("priority","id");