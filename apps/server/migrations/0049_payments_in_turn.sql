DROP INDEX "payments_to_close";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "close_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "close_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_to_close" ON "payments" USING btree ("close_at","id") WHERE not "payments"."closed" and not ("payments"."state" in ('created', 'started', 'pending'));