CREATE TABLE "phone_collisions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"e164" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "phone_normalisation" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"after" uuid,
	"done_at" bigint,
	CONSTRAINT "phone_normalisation_only" CHECK ("phone_normalisation"."only")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mobile_verified_at" bigint;--> statement-breakpoint
ALTER TABLE "phone_collisions" ADD CONSTRAINT "phone_collisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "phone_collisions_number" ON "phone_collisions" USING btree ("e164");--> statement-breakpoint
-- Until now only people who do not sign in by e-mail could give a number later, and they gave back a code for it.
UPDATE users SET mobile_verified_at = created_at WHERE mobile IS NOT NULL AND (login_type <> 'email' OR demo);--> statement-breakpoint
INSERT INTO phone_normalisation DEFAULT VALUES;
