ALTER TABLE "delivery_proofs" ADD COLUMN "upload" uuid;--> statement-breakpoint
ALTER TABLE "delivery_stops" ADD COLUMN "sender_instructions" text;