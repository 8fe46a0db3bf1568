CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"booking" uuid,
	"code" text NOT NULL,
	"source" text NOT NULL,
	"payment" uuid,
	"provider" text,
	"rider" uuid NOT NULL,
	"rider_name" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"bearer" text NOT NULL,
	"driver" uuid,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"failure" text,
	"provider_refund_id" text,
	"before" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"look_at" bigint NOT NULL,
	"ended_at" bigint,
	"by_user" uuid NOT NULL,
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0 and "refunds"."before" >= 0),
	CONSTRAINT "refunds_source" CHECK ("refunds"."source" in ('card', 'wallet', 'cash', 'fee')),
	CONSTRAINT "refunds_bearer" CHECK ("refunds"."bearer" in ('platform', 'driver', 'wallet')),
	CONSTRAINT "refunds_state" CHECK ("refunds"."state" in ('asked', 'pending', 'by_hand', 'confirmed', 'failed')),
	CONSTRAINT "refunds_card" CHECK (("refunds"."source" = 'card') = ("refunds"."payment" is not null and "refunds"."provider" is not null)),
	CONSTRAINT "refunds_order" CHECK ("refunds"."booking" is not null or "refunds"."payment" is not null),
	CONSTRAINT "refunds_driver" CHECK (("refunds"."bearer" = 'driver') = ("refunds"."driver" is not null)),
	CONSTRAINT "refunds_ended" CHECK (("refunds"."state" in ('confirmed', 'failed')) = ("refunds"."ended_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_booking_bookings_id_fk" FOREIGN KEY ("booking") REFERENCES "public"."bookings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_payments_id_fk" FOREIGN KEY ("payment") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_rider_users_id_fk" FOREIGN KEY ("rider") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_driver_users_id_fk" FOREIGN KEY ("driver") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_under_way" ON "refunds" USING btree ("payment") WHERE not ("refunds"."state" in ('confirmed', 'failed'));--> statement-breakpoint
CREATE INDEX "refunds_newest" ON "refunds" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_amount" ON "refunds" USING btree ("amount" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_state" ON "refunds" USING btree ("state","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_source" ON "refunds" USING btree ("source","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_bearer" ON "refunds" USING btree ("bearer","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_booking" ON "refunds" USING btree ("booking","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_rider" ON "refunds" USING btree ("rider","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refunds_by_payment" ON "refunds" USING btree ("payment");--> statement-breakpoint
CREATE INDEX "refunds_to_look_at" ON "refunds" USING btree ("look_at") WHERE "refunds"."state" in ('asked', 'pending');--> statement-breakpoint
CREATE INDEX "refunds_search" ON "refunds" USING gin (search_fold(' ' || "code" || ' ' || "rider_name" || ' ' || "reason") gin_trgm_ops);