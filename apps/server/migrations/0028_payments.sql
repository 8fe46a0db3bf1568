CREATE TABLE "payment_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"event_key" text NOT NULL,
	"query" text NOT NULL,
	"body" "bytea" NOT NULL,
	"received_at" bigint NOT NULL,
	"reference" text,
	"provider_ref" text,
	"provider_id" text,
	"found" jsonb,
	"payment" uuid,
	"processed_at" bigint,
	"tries" integer DEFAULT 0 NOT NULL,
	"retry_at" bigint NOT NULL,
	CONSTRAINT "payment_messages_once" UNIQUE("provider","event_key")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"live" boolean NOT NULL,
	"booking" uuid,
	"top_up" uuid,
	"code" text NOT NULL,
	"number" integer NOT NULL,
	"reference" text NOT NULL,
	"payer" uuid NOT NULL,
	"payer_name" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text DEFAULT 'created' NOT NULL,
	"step" jsonb,
	"provider_ref" text,
	"provider_id" text,
	"used_for" text,
	"failure" text,
	"differs" text[] DEFAULT '{}' NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"paid_at" bigint,
	"opened_at" bigint NOT NULL,
	"ask_at" bigint,
	"closed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "payments_reference" UNIQUE("reference"),
	CONSTRAINT "payments_one_order" CHECK (("payments"."booking" is null) <> ("payments"."top_up" is null)),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount" > 0 and "payments"."refunded" between 0 and "payments"."amount"),
	CONSTRAINT "payments_state" CHECK ("payments"."state" in ('created', 'started', 'pending', 'paid', 'failed', 'expired', 'mismatch')),
	CONSTRAINT "payments_paid" CHECK (("payments"."state" = 'paid') = ("payments"."paid_at" is not null)),
	CONSTRAINT "payments_used" CHECK ("payments"."used_for" is null or "payments"."state" = 'paid'),
	CONSTRAINT "payments_use" CHECK ("payments"."used_for" is null or ("payments"."used_for" = 'top_up') = ("payments"."top_up" is not null)),
	CONSTRAINT "payments_closed" CHECK (not "payments"."closed" or not ("payments"."state" in ('created', 'started', 'pending')))
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"uid" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "top_ups_code_unique" UNIQUE("code"),
	CONSTRAINT "top_ups_amount" CHECK ("top_ups"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "test_payments" (
	"reference" text PRIMARY KEY NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"decided_at" bigint,
	"refunds" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_messages" ADD CONSTRAINT "payment_messages_payment_payments_id_fk" FOREIGN KEY ("payment") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_booking_bookings_id_fk" FOREIGN KEY ("booking") REFERENCES "public"."bookings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_top_up_top_ups_id_fk" FOREIGN KEY ("top_up") REFERENCES "public"."top_ups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_payer_users_id_fk" FOREIGN KEY ("payer") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_messages_open" ON "payment_messages" USING btree ("retry_at") WHERE "payment_messages"."processed_at" is null;--> statement-breakpoint
CREATE INDEX "payment_messages_payment" ON "payment_messages" USING btree ("payment") WHERE "payment_messages"."payment" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ((coalesce("booking", "top_up")),"provider") WHERE "payments"."state" in ('created', 'started', 'pending');--> statement-breakpoint
CREATE INDEX "payments_newest" ON "payments" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_by_amount" ON "payments" USING btree ("amount" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_by_state" ON "payments" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_provider" ON "payments" USING btree ("provider","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_use" ON "payments" USING btree ("used_for","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_payer" ON "payments" USING btree ("payer","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_booking" ON "payments" USING btree ("booking","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_top_up" ON "payments" USING btree ("top_up") WHERE "payments"."top_up" is not null;--> statement-breakpoint
CREATE INDEX "payments_provider_ref" ON "payments" USING btree ("provider_ref") WHERE "payments"."provider_ref" is not null;--> statement-breakpoint
CREATE INDEX "payments_provider_id" ON "payments" USING btree ("provider_id") WHERE "payments"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_to_ask" ON "payments" USING btree ("ask_at") WHERE "payments"."state" in ('created', 'started', 'pending');--> statement-breakpoint
CREATE INDEX "payments_to_close" ON "payments" USING btree ("id") WHERE not "payments"."closed" and not ("payments"."state" in ('created', 'started', 'pending'));--> statement-breakpoint
CREATE INDEX "payments_search" ON "payments" USING gin (search_fold(' ' || "reference" || ' ' || "payer_name" || ' ' || coalesce("provider_id", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "top_ups_uid" ON "top_ups" USING btree ("uid");