ALTER TABLE "users" ADD COLUMN "rejection" text;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_approved_or_rejected" CHECK (not "users"."approved" or "users"."rejection" is null);