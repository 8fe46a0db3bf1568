CREATE TABLE "message_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"mails_off" text[] NOT NULL,
	"texts" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sent_messages" (
	"occasion" text PRIMARY KEY NOT NULL,
	"taken_at" bigint NOT NULL,
	"sent_at" bigint
);
--> statement-breakpoint
CREATE TABLE "message_counts" (
	"day" date NOT NULL,
	"key" text NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"dropped" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "message_counts_day_key_pk" PRIMARY KEY("day","key")
);
--> statement-breakpoint
ALTER TABLE "outbox_messages" ADD COLUMN "html" text;--> statement-breakpoint
ALTER TABLE "message_preferences" ADD CONSTRAINT "message_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sent_messages_taken" ON "sent_messages" USING btree ("taken_at");