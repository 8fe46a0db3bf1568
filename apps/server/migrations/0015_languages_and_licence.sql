ALTER TABLE "languages" ADD COLUMN "copied" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "languages" ADD COLUMN "removed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "licence" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "languages" ADD CONSTRAINT "languages_default_is_there" CHECK (not ("languages"."is_default" and "languages"."removed"));