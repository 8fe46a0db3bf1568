DROP INDEX "report_drivers_by_period";--> statement-breakpoint
DROP INDEX "report_drivers_by_share";--> statement-breakpoint
DROP INDEX "report_drivers_by_rides";--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "cancellation_fees" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "waiting_share" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "waiting_fees" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "write_offs" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "platform_refunds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "driver_refunds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "open_refunds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "dispute_fees" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "bonuses" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "driver_bonuses" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_days" ADD COLUMN "credits" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "cancellation_fees" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "waiting_share" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "waiting_fees" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "write_offs" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "platform_refunds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "driver_refunds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "open_refunds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "dispute_fees" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "bonuses" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "driver_bonuses" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_deltas" ADD COLUMN "credits" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_drivers" ADD COLUMN "cancellation_fees" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_drivers" ADD COLUMN "driver_bonuses" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_drivers" ADD COLUMN "driver_refunds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_drivers" ADD COLUMN "earned" bigint GENERATED ALWAYS AS (driver_share + cancellation_fees + driver_bonuses - driver_refunds) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "report_drivers" ADD COLUMN "shown" boolean GENERATED ALWAYS AS (rides <> 0 or driver_share <> 0 or cancellation_fees <> 0 or driver_bonuses <> 0 or driver_refunds <> 0) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "report_state" ADD COLUMN "figures" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "report_drivers_by_earned" ON "report_drivers" USING btree ("scope","grain","earned","period","driver") WHERE "report_drivers"."shown";--> statement-breakpoint
CREATE INDEX "report_drivers_by_period" ON "report_drivers" USING btree ("scope","grain","period","driver_share","driver") WHERE "report_drivers"."shown";--> statement-breakpoint
CREATE INDEX "report_drivers_by_share" ON "report_drivers" USING btree ("scope","grain","driver_share","period","driver") WHERE "report_drivers"."shown";--> statement-breakpoint
CREATE INDEX "report_drivers_by_rides" ON "report_drivers" USING btree ("scope","grain","rides","driver_share","period","driver") WHERE "report_drivers"."shown";