ALTER TABLE "refunds" ALTER COLUMN "by_user" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_messages" ADD COLUMN "goes_back" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "found" jsonb;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "origin" text DEFAULT 'office' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_elsewhere_once" ON "refunds" USING btree ("payment","provider_refund_id") WHERE "refunds"."origin" <> 'office';--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_origin" CHECK ("refunds"."origin" in ('office', 'provider', 'chargeback'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_by" CHECK (("refunds"."origin" = 'office') = ("refunds"."by_user" is not null));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_elsewhere" CHECK ("refunds"."origin" = 'office' or ("refunds"."source" = 'card' and "refunds"."provider_refund_id" is not null));