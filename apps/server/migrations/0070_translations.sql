ALTER TABLE "cancel_reasons" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "car_types" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "cancel_reasons" ADD CONSTRAINT "cancel_reasons_translations" CHECK (jsonb_typeof("cancel_reasons"."translations") = 'object' and length("cancel_reasons"."translations"::text) <= 20000
    and not jsonb_path_exists("cancel_reasons"."translations", 'strict $.* ? (@.type() != "object")')
    and not jsonb_path_exists("cancel_reasons"."translations", 'strict $.*.* ? (@.type() != "string")'));--> statement-breakpoint
ALTER TABLE "car_types" ADD CONSTRAINT "car_types_translations" CHECK (jsonb_typeof("car_types"."translations") = 'object' and length("car_types"."translations"::text) <= 20000
    and not jsonb_path_exists("car_types"."translations", 'strict $.* ? (@.type() != "object")')
    and not jsonb_path_exists("car_types"."translations", 'strict $.*.* ? (@.type() != "string")'));