-- Columns are named in full: a booking's own code, names, plate and addresses.
CREATE FUNCTION booking_words(b bookings) RETURNS text LANGUAGE sql STABLE
  RETURN search_fold(concat(' ', b.booking_id, ' ', b.customer_name, ' ', b.driver_name, ' ', b.vehicle_number, ' ',
    b.pickup->>'add', ' ', b."drop"->>'add'));--> statement-breakpoint
CREATE FUNCTION keep_booking_words() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'INSERT' then
    insert into booking_search values (new.id, booking_words(new));
  else
    update booking_search set words = booking_words(new) where booking_id = new.id;
  end if;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER bookings_words_insert AFTER INSERT ON bookings FOR EACH ROW
  EXECUTE FUNCTION keep_booking_words();--> statement-breakpoint
-- Once in the life of most bookings, when a driver takes them.
CREATE TRIGGER bookings_words_update AFTER UPDATE ON bookings FOR EACH ROW
  WHEN ((old.customer_name, old.driver_name, old.vehicle_number, old.pickup, old."drop")
    is distinct from (new.customer_name, new.driver_name, new.vehicle_number, new.pickup, new."drop"))
  EXECUTE FUNCTION keep_booking_words();--> statement-breakpoint
INSERT INTO booking_search SELECT b.id, booking_words(b) FROM bookings b;--> statement-breakpoint
-- The planner has to know which words are common: those are found sooner by looking through the newest bookings.
ALTER TABLE booking_search ALTER COLUMN words SET STATISTICS 1000;--> statement-breakpoint

-- What the office searches people by, and sorts them by; the queries have the same expressions. Contacts stand apart,
-- since a demo hides them.
DROP INDEX users_search;--> statement-breakpoint
CREATE INDEX users_search ON users USING gin (
  (search_fold(' ' || first_name || ' ' || last_name || ' ' || coalesce(vehicle_number, ''))) gin_trgm_ops,
  (search_fold(' ' || email::text || ' ' || coalesce(mobile, ''))) gin_trgm_ops);--> statement-breakpoint
ALTER INDEX users_search ALTER COLUMN 1 SET STATISTICS 500;--> statement-breakpoint
ALTER INDEX users_search ALTER COLUMN 2 SET STATISTICS 500;--> statement-breakpoint
CREATE INDEX users_by_name ON users (usertype, (search_fold(first_name || ' ' || last_name)) DESC NULLS LAST, id DESC NULLS LAST);
