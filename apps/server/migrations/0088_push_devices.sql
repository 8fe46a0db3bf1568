CREATE TABLE "push_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"content" jsonb,
	"urgent" boolean NOT NULL,
	"expires_at" bigint NOT NULL,
	"not_before" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"origin" uuid,
	"reached" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid,
	"kind" text NOT NULL,
	"token" text NOT NULL,
	"p256dh" text,
	"auth" text,
	"platform" text,
	"locale" text,
	"closable" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "push_devices_token_unique" UNIQUE("token"),
	CONSTRAINT "push_devices_kind" CHECK ("push_devices"."kind" in ('web', 'fcm', 'expo')),
	CONSTRAINT "push_devices_keys" CHECK (("push_devices"."kind" = 'web') = ("push_devices"."p256dh" is not null and "push_devices"."auth" is not null)),
	CONSTRAINT "push_devices_platform" CHECK ("push_devices"."platform" in ('ANDROID', 'IOS'))
);
--> statement-breakpoint
CREATE TABLE "push_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"muted" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_shown" (
	"device_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"notification_id" uuid,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "push_shown_device_id_tag_pk" PRIMARY KEY("device_id","tag")
);
--> statement-breakpoint
DROP INDEX "users_push_token";--> statement-breakpoint
DROP INDEX "users_with_device";--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_device_id_push_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."push_devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_session_id_auth_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."auth_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_preferences" ADD CONSTRAINT "push_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_shown" ADD CONSTRAINT "push_shown_device_id_push_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."push_devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "push_deliveries_due" ON "push_deliveries" USING btree ("urgent","not_before");--> statement-breakpoint
CREATE INDEX "push_deliveries_device" ON "push_deliveries" USING btree ("device_id","tag");--> statement-breakpoint
CREATE INDEX "push_deliveries_origin" ON "push_deliveries" USING btree ("origin") WHERE "push_deliveries"."origin" is not null;--> statement-breakpoint
CREATE INDEX "push_devices_user" ON "push_devices" USING btree ("user_id","seen_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "push_devices_session" ON "push_devices" USING btree ("session_id") WHERE "push_devices"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "push_shown_expires" ON "push_shown" USING btree ("expires_at");--> statement-breakpoint
-- Users without a session are signed out: their devices get nothing any more.
INSERT INTO "push_devices" ("id", "user_id", "session_id", "kind", "token", "platform", "closable", "created_at", "seen_at")
  SELECT DISTINCT ON (u.push_token) gen_random_uuid(), u.id, s.id, k.kind, u.push_token, u.user_platform, k.kind = 'fcm', now.ms, now.ms
    FROM users u
    CROSS JOIN LATERAL (SELECT CASE WHEN u.push_token ~ '^Expo(nent)?PushToken\[.+\]$' THEN 'expo' ELSE 'fcm' END AS kind) k
    CROSS JOIN LATERAL (SELECT id FROM auth_sessions WHERE user_id = u.id ORDER BY updated_at DESC, id DESC LIMIT 1) s
    CROSS JOIN (SELECT (extract(epoch FROM now()) * 1000)::bigint AS ms) now
    WHERE u.push_token IS NOT NULL AND u.user_platform IN ('ANDROID', 'IOS') AND u.deleted_at IS NULL
    ORDER BY u.push_token, u.id;--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "push_token";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "user_platform";