CREATE TABLE "alert_mails" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"kinds" text[] NOT NULL,
	"mailed_until" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert_mails" ADD CONSTRAINT "alert_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;