CREATE TABLE "contact_refusals" (
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	CONSTRAINT "contact_refusals_user_id_address_pk" PRIMARY KEY("user_id","address")
);
--> statement-breakpoint
CREATE TABLE "contact_shares" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"presses" integer NOT NULL,
	"shared_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trusted_contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mobile" text,
	"email" text,
	"share_always" boolean NOT NULL,
	"on_help" boolean NOT NULL,
	CONSTRAINT "trusted_contacts_reachable" CHECK (num_nonnulls("trusted_contacts"."mobile", "trusted_contacts"."email") > 0)
);
--> statement-breakpoint
ALTER TABLE "contact_refusals" ADD CONSTRAINT "contact_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_shares" ADD CONSTRAINT "contact_shares_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trusted_contacts" ADD CONSTRAINT "trusted_contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trusted_contacts_user" ON "trusted_contacts" USING btree ("user_id");