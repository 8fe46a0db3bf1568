CREATE TABLE "push_notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"devicetype" text NOT NULL,
	"usertype" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"created_at" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "push_notifications_devicetype" CHECK ("push_notifications"."devicetype" in ('All', 'ANDROID', 'IOS')),
	CONSTRAINT "push_notifications_usertype" CHECK ("push_notifications"."usertype" in ('All', 'rider', 'driver'))
);
--> statement-breakpoint
CREATE TABLE "push_sends" (
	"id" uuid PRIMARY KEY NOT NULL,
	"notification_id" uuid NOT NULL,
	"by_user" uuid NOT NULL,
	"devicetype" text NOT NULL,
	"usertype" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"at" bigint NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"last_user" uuid,
	"finished_at" bigint
);
--> statement-breakpoint
ALTER TABLE "push_sends" ADD CONSTRAINT "push_sends_notification_id_push_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."push_notifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_sends" ADD CONSTRAINT "push_sends_by_user_users_id_fk" FOREIGN KEY ("by_user") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "push_notifications_recent" ON "push_notifications" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "push_notifications_title" ON "push_notifications" USING btree ("title" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "push_notifications_devices" ON "push_notifications" USING btree ("devicetype","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "push_notifications_users" ON "push_notifications" USING btree ("usertype","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "push_notifications_search" ON "push_notifications" USING gin (search_fold(' ' || "title" || ' ' || "body") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "push_sends_one_under_way" ON "push_sends" USING btree ("notification_id") WHERE "push_sends"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "push_sends_notification" ON "push_sends" USING btree ("notification_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "users_with_device" ON "users" USING btree ("id") WHERE "users"."push_token" is not null;