-- Five tables become partitioned by month. What they hold already is attached as their first partition, in place: rows are
-- not copied. See docs/decisions/0203-retention.md, also for what a very large installation can do beforehand.

-- What lets things happen once lives apart from the rows that go.
CREATE TABLE "notification_keys" (
	"dedupe" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_message_keys" (
	"provider" text NOT NULL,
	"event_key" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "payment_message_keys_provider_event_key_pk" PRIMARY KEY("provider","event_key")
);
--> statement-breakpoint
INSERT INTO notification_keys SELECT dedupe, at FROM user_notifications
  WHERE at > (extract(epoch FROM now() - interval '90 days') * 1000)::bigint;--> statement-breakpoint
INSERT INTO payment_message_keys SELECT provider, event_key, received_at FROM payment_messages;--> statement-breakpoint
CREATE INDEX "notification_keys_at" ON "notification_keys" USING btree ("at");--> statement-breakpoint
CREATE INDEX "payment_message_keys_at" ON "payment_message_keys" USING btree ("at");--> statement-breakpoint
CREATE TABLE "trip_lines" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"polyline" text NOT NULL,
	"distance_km" double precision NOT NULL,
	"last_at" bigint NOT NULL,
	"last_status" text NOT NULL,
	"last_lat" double precision NOT NULL,
	"last_lng" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trip_lines" ADD CONSTRAINT "trip_lines_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint

-- A foreign key would lock the table it points to whenever a month is made or dropped.
ALTER TABLE "booking_events" DROP CONSTRAINT "booking_events_booking_id_bookings_id_fk";--> statement-breakpoint
ALTER TABLE "tracking" DROP CONSTRAINT "tracking_booking_id_bookings_id_fk";--> statement-breakpoint
ALTER TABLE "user_notifications" DROP CONSTRAINT "user_notifications_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "payment_messages" DROP CONSTRAINT "payment_messages_payment_payments_id_fk";--> statement-breakpoint
ALTER TABLE "tracking" DROP COLUMN "id";--> statement-breakpoint
DROP TRIGGER audit_log_append_only ON audit_log;--> statement-breakpoint
DROP TRIGGER audit_log_not_emptied ON audit_log;--> statement-breakpoint

DO $$
DECLARE
  t record;
  o record;
BEGIN
  FOR t IN SELECT * FROM (VALUES ('tracking', 'at'), ('booking_events', 'at'), ('user_notifications', 'at'),
      ('payment_messages', 'received_at'), ('audit_log', 'at')) AS v(name, moment) LOOP
    FOR o IN SELECT conname FROM pg_constraint WHERE conrelid = t.name::regclass AND contype IN ('p', 'u') LOOP
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', t.name, o.conname);
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', t.name, t.name || '_before');
    FOR o IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = (t.name || '_before')::regclass LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', o.relname, replace(o.relname, t.name, t.name || '_before'));
    END LOOP;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS) PARTITION BY RANGE (%I)', t.name, t.name || '_before',
      t.moment);
    FOR o IN SELECT pg_get_indexdef(indexrelid) AS def FROM pg_index WHERE indrelid = (t.name || '_before')::regclass LOOP
      EXECUTE replace(o.def, t.name || '_before', t.name);
    END LOOP;
  END LOOP;
END $$;--> statement-breakpoint

ALTER TABLE "booking_events" ADD CONSTRAINT "booking_events_booking_id_version_at_pk" PRIMARY KEY("booking_id","version","at");--> statement-breakpoint
ALTER TABLE "payment_messages" ADD CONSTRAINT "payment_messages_id_received_at_pk" PRIMARY KEY("id","received_at");--> statement-breakpoint
ALTER TABLE "user_notifications" ADD CONSTRAINT "user_notifications_id_at_pk" PRIMARY KEY("id","at");--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_id_at_pk" PRIMARY KEY("id","at");--> statement-breakpoint

DO $$
DECLARE
  t record;
  newest bigint;
  month timestamp;
  starts bigint;
  ends bigint;
BEGIN
  FOR t IN SELECT * FROM (VALUES ('tracking', 'at'), ('booking_events', 'at'), ('user_notifications', 'at'),
      ('payment_messages', 'received_at'), ('audit_log', 'at')) AS v(name, moment) LOOP
    -- A demo's clock may be ahead of this machine's.
    EXECUTE format('SELECT max(%I) FROM %I', t.moment, t.name || '_before') INTO newest;
    month := date_trunc('month', greatest(now() AT TIME ZONE 'UTC',
      to_timestamp(coalesce(newest, 0) / 1000.0) AT TIME ZONE 'UTC')) + interval '1 month';
    starts := extract(epoch FROM month) * 1000;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)', t.name, t.name || '_before',
      starts);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', t.name || '_rest', t.name);
    FOR i IN 1..3 LOOP
      starts := extract(epoch FROM month) * 1000;
      ends := extract(epoch FROM month + interval '1 month') * 1000;
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)',
        t.name || '_' || to_char(month, 'YYYY_MM'), t.name, starts, ends);
      month := month + interval '1 month';
    END LOOP;
  END LOOP;
END $$;--> statement-breakpoint

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();--> statement-breakpoint
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
