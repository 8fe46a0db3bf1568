CREATE TABLE "safety_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"driver" uuid NOT NULL,
	"fleetadmin" uuid,
	"state" text NOT NULL,
	"opened_at" bigint NOT NULL,
	"answer_by" bigint,
	"rider_answer" text,
	"driver_answer" text,
	"alarm_at" bigint,
	"raised_by" uuid,
	"lat" double precision,
	"lng" double precision,
	"point_at" bigint,
	"acknowledged_at" bigint,
	"acknowledged_by" uuid,
	"closed_at" bigint,
	"closed_by" uuid,
	"closing" text,
	CONSTRAINT "safety_events_state" CHECK (("safety_events"."state" = 'closed') = ("safety_events"."closed_at" is not null)),
	CONSTRAINT "safety_events_closing" CHECK (("safety_events"."closing" is null) = ("safety_events"."closed_at" is null)),
	CONSTRAINT "safety_events_alarmed" CHECK ("safety_events"."state" <> 'alarm' or "safety_events"."alarm_at" is not null),
	CONSTRAINT "safety_events_panic" CHECK (("safety_events"."kind" = 'panic') = ("safety_events"."raised_by" is not null)),
	CONSTRAINT "safety_events_question" CHECK (("safety_events"."kind" = 'panic') = ("safety_events"."answer_by" is null)),
	CONSTRAINT "safety_events_point" CHECK (num_nulls("safety_events"."lat", "safety_events"."lng", "safety_events"."point_at") in (0, 3)),
	CONSTRAINT "safety_events_charge" CHECK (("safety_events"."acknowledged_at" is null) = ("safety_events"."acknowledged_by" is null))
);
--> statement-breakpoint
CREATE TABLE "safety_moments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"what" text NOT NULL,
	"by_user" uuid,
	"note" text,
	"lat" double precision,
	"lng" double precision,
	CONSTRAINT "safety_moments_point" CHECK (num_nulls("safety_moments"."lat", "safety_moments"."lng") in (0, 2))
);
--> statement-breakpoint
ALTER TABLE "safety_events" ADD CONSTRAINT "safety_events_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_events" ADD CONSTRAINT "safety_events_driver_users_id_fk" FOREIGN KEY ("driver") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_events" ADD CONSTRAINT "safety_events_fleetadmin_users_id_fk" FOREIGN KEY ("fleetadmin") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_events" ADD CONSTRAINT "safety_events_raised_by_users_id_fk" FOREIGN KEY ("raised_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_events" ADD CONSTRAINT "safety_events_acknowledged_by_users_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_events" ADD CONSTRAINT "safety_events_closed_by_users_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_moments" ADD CONSTRAINT "safety_moments_event_id_safety_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."safety_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_moments" ADD CONSTRAINT "safety_moments_by_user_users_id_fk" FOREIGN KEY ("by_user") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "safety_events_open" ON "safety_events" USING btree ("booking_id","kind") WHERE "safety_events"."state" <> 'closed';--> statement-breakpoint
CREATE INDEX "safety_events_driver" ON "safety_events" USING btree ("driver");--> statement-breakpoint
CREATE INDEX "safety_events_fleet" ON "safety_events" USING btree ("fleetadmin","opened_at");--> statement-breakpoint
CREATE INDEX "safety_events_booking" ON "safety_events" USING btree ("booking_id");--> statement-breakpoint
CREATE INDEX "safety_events_asked" ON "safety_events" USING btree ("answer_by") WHERE "safety_events"."state" = 'asked';--> statement-breakpoint
CREATE INDEX "safety_events_alarm" ON "safety_events" USING btree ("alarm_at") WHERE "safety_events"."state" = 'alarm';--> statement-breakpoint
CREATE INDEX "safety_events_closed" ON "safety_events" USING btree ("closed_at") WHERE "safety_events"."state" = 'closed';--> statement-breakpoint
CREATE INDEX "safety_moments_event" ON "safety_moments" USING btree ("event_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "safety_moments_seen" ON "safety_moments" USING btree ("event_id","by_user") WHERE "safety_moments"."what" = 'seen';