CREATE TABLE "cancel_reasons_order" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "cancel_reasons_order_only_row" CHECK ("cancel_reasons_order"."only")
);
--> statement-breakpoint
ALTER TABLE "car_types" DROP CONSTRAINT "car_types_name_unique";--> statement-breakpoint
ALTER TABLE "promos" DROP CONSTRAINT "promos_promo_name_unique";--> statement-breakpoint
ALTER TABLE "cancel_reasons" DROP CONSTRAINT "cancel_reasons_pkey";--> statement-breakpoint
ALTER TABLE "cancel_reasons" ALTER COLUMN "label" SET DATA TYPE citext;--> statement-breakpoint
ALTER TABLE "cancel_reasons" ADD COLUMN "id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "cancel_reasons" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "car_types" ADD COLUMN "archived_at" bigint;--> statement-breakpoint
ALTER TABLE "promos" ADD COLUMN "archived_at" bigint;--> statement-breakpoint
CREATE INDEX "cancel_reasons_by_value" ON "cancel_reasons" USING btree ("value" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "car_types_name" ON "car_types" USING btree (lower("name")) WHERE "car_types"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "car_types_by_position" ON "car_types" USING btree ("position" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "car_types_by_name" ON "car_types" USING btree ("name" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "car_types_by_min_fare" ON "car_types" USING btree ("min_fare" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "car_types_by_age" ON "car_types" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "promos_name" ON "promos" USING btree ("promo_name") WHERE "promos"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "promos_by_age" ON "promos" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "promos_by_name" ON "promos" USING btree ("promo_name" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "promos_by_validity" ON "promos" USING btree ("promo_validity" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "promos_by_uses" ON "promos" USING btree ("user_avail" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "promos_by_type" ON "promos" USING btree ("promo_discount_type","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "cancel_reasons" ADD CONSTRAINT "cancel_reasons_label_unique" UNIQUE("label");--> statement-breakpoint

-- What the office searches by; the queries have the same expressions.
CREATE INDEX car_types_search ON car_types USING gin (search_fold(' ' || name || ' ' || extra_info) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX promos_search ON promos USING gin (search_fold(' ' || promo_name::text || ' ' || promo_description) gin_trgm_ops);--> statement-breakpoint

-- What stands in the way of taking a car type out of the lists: its drivers, and bookings still to be driven or paid.
CREATE FUNCTION car_type_uses(of_type uuid, OUT drivers integer, OUT bookings integer) STABLE LANGUAGE sql AS $$
  select
    (select count(*)::int from users where car_type_id = of_type and usertype = 'driver' and deleted_at is null),
    (select count(*)::int from bookings where car_type_id = of_type
      and status in ('PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING'))
$$;--> statement-breakpoint

-- The other side of it: nobody books or drives what is being taken out at the same moment. Whoever takes it out locks the
-- row for update before counting; these wait for that lock (the first by its foreign key) and then see the outcome.
-- HN007: whoever books looks at the facts again.
CREATE FUNCTION booking_car_type_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if exists (select from car_types where id = new.car_type_id and archived_at is not null) then
    raise exception 'the car type is gone' using errcode = 'HN007';
  end if;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER car_type_is_there AFTER INSERT ON bookings
  FOR EACH ROW EXECUTE FUNCTION booking_car_type_is_there();--> statement-breakpoint

-- It reads as if the car type did not exist.
CREATE FUNCTION user_car_type_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform from car_types where id = new.car_type_id and archived_at is null for key share;
  if not found then
    raise exception 'the car type is gone' using errcode = '23503', constraint = 'users_car_type_id_car_types_id_fk',
      table = 'users';
  end if;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER car_type_is_there AFTER INSERT OR UPDATE OF car_type_id, usertype ON users
  FOR EACH ROW WHEN (new.car_type_id is not null and new.usertype = 'driver')
  EXECUTE FUNCTION user_car_type_is_there();--> statement-breakpoint

-- A promo that was taken out of the lists is given back by bookings, and taken by none. HN005: it is used up.
CREATE FUNCTION promo_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if new.archived_at is not null and new.user_avail > old.user_avail then
    raise exception 'the promo is used up' using errcode = 'HN005';
  end if;
  return new;
end $$;--> statement-breakpoint
CREATE TRIGGER promo_is_there BEFORE UPDATE OF user_avail ON promos
  FOR EACH ROW EXECUTE FUNCTION promo_is_there();
