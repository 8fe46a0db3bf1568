ALTER TABLE "car_types" ADD COLUMN "parcel_types" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "car_types" ADD COLUMN "options" jsonb DEFAULT '[]'::jsonb NOT NULL;