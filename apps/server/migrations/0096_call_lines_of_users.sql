ALTER TABLE "call_lines" ADD COLUMN "user_id" uuid;--> statement-breakpoint
UPDATE "call_lines" l SET "user_id" = CASE l."side" WHEN 'rider' THEN b."customer" ELSE b."driver" END
  FROM "bookings" b WHERE b."id" = l."booking_id";--> statement-breakpoint
-- Someone who changed their phone number during a trip can have one number for two trips.
DELETE FROM "call_lines" l WHERE "user_id" IS NULL OR EXISTS (SELECT FROM "call_lines" later
  WHERE later."user_id" = l."user_id" AND later."number" = l."number" AND later."booking_id" > l."booking_id");--> statement-breakpoint
ALTER TABLE "call_lines" ALTER COLUMN "user_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "call_lines" ADD CONSTRAINT "call_lines_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_lines" DROP CONSTRAINT "call_lines_pkey";--> statement-breakpoint
ALTER TABLE "call_lines" DROP COLUMN "phone";--> statement-breakpoint
ALTER TABLE "call_lines" DROP COLUMN "other";--> statement-breakpoint
ALTER TABLE "call_lines" ADD CONSTRAINT "call_lines_pkey" PRIMARY KEY("user_id","number");
