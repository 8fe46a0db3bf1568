CREATE TABLE "report_days" (
	"scope" uuid NOT NULL,
	"day" date NOT NULL,
	"rides" bigint NOT NULL,
	"cancelled" bigint NOT NULL,
	"trip_cost" bigint NOT NULL,
	"convenience_fees" bigint NOT NULL,
	"discount_amount" bigint NOT NULL,
	"driver_share" bigint NOT NULL,
	CONSTRAINT "report_days_scope_day_pk" PRIMARY KEY("scope","day")
);
--> statement-breakpoint
CREATE TABLE "report_deltas" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"tripdate" bigint NOT NULL,
	"driver" uuid,
	"fleetadmin" uuid,
	"rides" integer NOT NULL,
	"cancelled" integer NOT NULL,
	"trip_cost" bigint NOT NULL,
	"convenience_fees" bigint NOT NULL,
	"discount_amount" bigint NOT NULL,
	"driver_share" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_drivers" (
	"scope" uuid NOT NULL,
	"driver" uuid NOT NULL,
	"grain" smallint NOT NULL,
	"period" integer NOT NULL,
	"rides" bigint NOT NULL,
	"driver_share" bigint NOT NULL,
	CONSTRAINT "report_drivers_scope_driver_grain_period_pk" PRIMARY KEY("scope","driver","grain","period")
);
--> statement-breakpoint
CREATE TABLE "report_state" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"timezone" text NOT NULL,
	CONSTRAINT "report_state_only_row" CHECK ("report_state"."only")
);
--> statement-breakpoint
CREATE INDEX "report_drivers_by_period" ON "report_drivers" USING btree ("scope","grain","period","driver_share","driver") WHERE "report_drivers"."rides" > 0;--> statement-breakpoint
CREATE INDEX "report_drivers_by_share" ON "report_drivers" USING btree ("scope","grain","driver_share","period","driver") WHERE "report_drivers"."rides" > 0;--> statement-breakpoint
CREATE INDEX "report_drivers_by_rides" ON "report_drivers" USING btree ("scope","grain","rides","driver_share","period","driver") WHERE "report_drivers"."rides" > 0;