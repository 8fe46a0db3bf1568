CREATE TABLE "address_book" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"person" text NOT NULL,
	"phone" text NOT NULL,
	"email" text,
	"instructions" text,
	"place" jsonb NOT NULL,
	CONSTRAINT "address_book_once" UNIQUE("user_id","person","phone","place")
);
--> statement-breakpoint
CREATE TABLE "delivery_import_rows" (
	"import_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"data" jsonb NOT NULL,
	"key" text NOT NULL,
	"state" text NOT NULL,
	"problems" jsonb NOT NULL,
	"plan" jsonb,
	"fare" bigint,
	"reason" text,
	"booking_id" uuid,
	CONSTRAINT "delivery_import_rows_import_id_n_pk" PRIMARY KEY("import_id","n")
);
--> statement-breakpoint
CREATE TABLE "delivery_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"by_user" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"hash" text NOT NULL,
	"confirmed_at" bigint,
	CONSTRAINT "delivery_imports_once" UNIQUE("user_id","hash")
);
--> statement-breakpoint
ALTER TABLE "address_book" ADD CONSTRAINT "address_book_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_import_rows" ADD CONSTRAINT "delivery_import_rows_import_id_delivery_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."delivery_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_import_rows" ADD CONSTRAINT "delivery_import_rows_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_imports" ADD CONSTRAINT "delivery_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_imports" ADD CONSTRAINT "delivery_imports_by_user_users_id_fk" FOREIGN KEY ("by_user") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_book_user" ON "address_book" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "delivery_import_rows_open" ON "delivery_import_rows" USING btree ("import_id","n") WHERE "delivery_import_rows"."state" in ('new', 'queued');--> statement-breakpoint
CREATE INDEX "delivery_import_rows_key" ON "delivery_import_rows" USING btree ("key");--> statement-breakpoint
CREATE INDEX "delivery_import_rows_booking" ON "delivery_import_rows" USING btree ("booking_id");