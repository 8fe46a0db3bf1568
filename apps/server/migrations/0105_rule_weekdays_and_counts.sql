ALTER TABLE "dispatch_rules" ALTER COLUMN "days" SET DATA TYPE text[] USING CASE "days"
	WHEN 'weekdays' THEN '{mon,tue,wed,thu,fri}'::text[]
	WHEN 'weekend' THEN '{sat,sun}'::text[]
	ELSE '{mon,tue,wed,thu,fri,sat,sun}'::text[] END;--> statement-breakpoint
ALTER TABLE "dispatch_decisions" ADD COLUMN "counts" jsonb DEFAULT '{}'::jsonb NOT NULL;
