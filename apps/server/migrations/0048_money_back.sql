ALTER TABLE "refunds" DROP CONSTRAINT "refunds_by";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_elsewhere";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "back_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "fee" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "fee_changes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_to_look_back" ON "payments" USING btree ("provider","back_at") WHERE "payments"."back_at" is not null;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_fee" CHECK ("refunds"."fee" >= 0);--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_by" CHECK ("refunds"."origin" <> 'office' or "refunds"."by_user" is not null);--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_elsewhere" CHECK ("refunds"."origin" = 'office' or ("refunds"."source" = 'card' and coalesce("refunds"."provider_refund_id", "refunds"."by_user"::text) is not null));--> statement-breakpoint
-- Payments of the last half year are asked about from now on, spread over a day.
UPDATE "payments" SET "back_at" = (extract(epoch from now()) * 1000)::bigint + (random() * 86400000)::bigint
  WHERE "used_for" IS NOT NULL AND "provider" <> 'test'
    AND "opened_at" > (extract(epoch from now()) * 1000)::bigint - 180 * 86400000::bigint;
