ALTER TABLE "dispatch_rules" ALTER COLUMN "days" SET DATA TYPE text[] USING CASE "days"
	WHEN 'weekdays' THEN '{mon,tue,wed,thu,fri}'::text[]
	WHEN 'weekend' THEN '{sat,sun}'::text[]
	ELSE '{mon,tue,wed,thu,fri,sat,sun}'::text[] END;--> statement-breakpoint
ALTER TABLE "dispatch_decisions" ADD COLUMN "counts" jsonb;--> statement-breakpoint
UPDATE "dispatch_decisions" SET "counts" = (SELECT coalesce(jsonb_object_agg("reason", "number"), '{}')
	FROM (SELECT "one"->>'reason' AS "reason", count(*) AS "number" FROM jsonb_array_elements("drivers") AS "one" GROUP BY 1) AS "reasons");--> statement-breakpoint
ALTER TABLE "dispatch_decisions" ALTER COLUMN "counts" SET NOT NULL;
