CREATE TABLE "chat_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"at" bigint NOT NULL,
	"from_user" uuid NOT NULL,
	"source" text NOT NULL,
	"kind" text NOT NULL,
	"message" text NOT NULL,
	"quick" text,
	"photo" uuid,
	"sms_id" text NOT NULL,
	CONSTRAINT "chat_messages_seq" UNIQUE("booking_id","driver_id","seq"),
	CONSTRAINT "chat_messages_once" UNIQUE("booking_id","driver_id","from_user","sms_id"),
	CONSTRAINT "chat_messages_number" CHECK ("chat_messages"."seq" > 0),
	CONSTRAINT "chat_messages_content" CHECK (case "chat_messages"."kind" when 'text' then length("chat_messages"."message") between 1 and 1000 else length("chat_messages"."message") <= 1000 end
        and ("chat_messages"."kind" = 'quick') = ("chat_messages"."quick" is not null) and ("chat_messages"."kind" = 'photo') = ("chat_messages"."photo" is not null)
        and ("chat_messages"."kind" in ('text', 'quick') or "chat_messages"."message" = ''))
);
--> statement-breakpoint
CREATE TABLE "chat_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"booking_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"by" text NOT NULL,
	"by_user" uuid NOT NULL,
	"reason" text NOT NULL,
	"note" text NOT NULL,
	"at" bigint NOT NULL,
	"settled_at" bigint,
	"settled_by" uuid,
	"settled_note" text,
	CONSTRAINT "chat_reports_settled" CHECK (num_nulls("chat_reports"."settled_at", "chat_reports"."settled_by", "chat_reports"."settled_note") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"booking_id" uuid NOT NULL,
	"driver_id" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"photos" integer DEFAULT 0 NOT NULL,
	"rider_delivered" bigint DEFAULT 0 NOT NULL,
	"rider_read" bigint DEFAULT 0 NOT NULL,
	"driver_delivered" bigint DEFAULT 0 NOT NULL,
	"driver_read" bigint DEFAULT 0 NOT NULL,
	"rider_blocked_at" bigint,
	"driver_blocked_at" bigint,
	CONSTRAINT "chats_booking_id_driver_id_pk" PRIMARY KEY("booking_id","driver_id"),
	CONSTRAINT "chats_marks" CHECK (0 <= "chats"."rider_read" and "chats"."rider_read" <= "chats"."rider_delivered" and "chats"."rider_delivered" <= "chats"."last_seq"
        and 0 <= "chats"."driver_read" and "chats"."driver_read" <= "chats"."driver_delivered" and "chats"."driver_delivered" <= "chats"."last_seq")
);
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_from_user_users_id_fk" FOREIGN KEY ("from_user") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_booking_id_driver_id_chats_booking_id_driver_id_fk" FOREIGN KEY ("booking_id","driver_id") REFERENCES "public"."chats"("booking_id","driver_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_reports" ADD CONSTRAINT "chat_reports_by_user_users_id_fk" FOREIGN KEY ("by_user") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_reports" ADD CONSTRAINT "chat_reports_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_reports" ADD CONSTRAINT "chat_reports_booking_id_driver_id_chats_booking_id_driver_id_fk" FOREIGN KEY ("booking_id","driver_id") REFERENCES "public"."chats"("booking_id","driver_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_messages_from" ON "chat_messages" USING btree ("from_user","id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_reports_open" ON "chat_reports" USING btree ("booking_id","driver_id","by") WHERE "chat_reports"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "chat_reports_latest" ON "chat_reports" USING btree ("at" DESC NULLS LAST) WHERE "chat_reports"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "chat_reports_by" ON "chat_reports" USING btree ("by_user");--> statement-breakpoint
CREATE INDEX "chats_driver" ON "chats" USING btree ("driver_id","booking_id");