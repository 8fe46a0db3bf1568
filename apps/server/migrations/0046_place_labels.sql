ALTER TABLE "saved_addresses" ADD COLUMN "label" text;--> statement-breakpoint
-- A place that was renamed lost its address: the nearest end of a trip of that rider, within about 100 m, is it.
WITH renamed AS (
  SELECT s."id", near."add"
  FROM "saved_addresses" s
  CROSS JOIN LATERAL (
    SELECT b."drop" ->> 'add' AS "add"
    FROM "bookings" b
    WHERE b."customer" = s."user_id"
      AND abs((b."drop" ->> 'lat')::float8 - s."lat") < 0.0009
      AND abs((b."drop" ->> 'lng')::float8 - s."lng") < 0.0009 / cos(radians(s."lat"))
    ORDER BY ((b."drop" ->> 'lat')::float8 - s."lat") ^ 2 + ((b."drop" ->> 'lng')::float8 - s."lng") ^ 2
    LIMIT 1
  ) near
  WHERE NOT EXISTS (
    SELECT FROM "bookings" b WHERE b."customer" = s."user_id" AND b."drop" ->> 'add' = s."description"
  )
)
UPDATE "saved_addresses" s SET "label" = s."description", "description" = renamed."add"
FROM renamed WHERE renamed."id" = s."id";
