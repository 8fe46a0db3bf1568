ALTER TABLE "outbox" ADD COLUMN "stream" text;--> statement-breakpoint
CREATE INDEX "outbox_stream" ON "outbox" USING btree ("stream","id") WHERE "outbox"."stream" is not null;