CREATE TABLE "booking_search" (
	"booking_id" uuid PRIMARY KEY NOT NULL,
	"words" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_sums" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdraws" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uid" uuid NOT NULL,
	"name" text NOT NULL,
	"amount" bigint NOT NULL,
	"date" bigint NOT NULL,
	"bank_name" text NOT NULL,
	"bank_code" text NOT NULL,
	"bank_account" text NOT NULL,
	"processed" boolean DEFAULT false NOT NULL,
	"refused" boolean DEFAULT false NOT NULL,
	"proces_date" bigint,
	"reason" text,
	"currency" text NOT NULL,
	CONSTRAINT "withdraws_amount" CHECK ("withdraws"."amount" > 0),
	CONSTRAINT "withdraws_decided_once" CHECK (not ("withdraws"."processed" and "withdraws"."refused")),
	CONSTRAINT "withdraws_decided_at" CHECK (("withdraws"."processed" or "withdraws"."refused") = ("withdraws"."proces_date" is not null))
);
--> statement-breakpoint
DROP INDEX "audit_log_at";--> statement-breakpoint
DROP INDEX "audit_log_by";--> statement-breakpoint
DROP INDEX "audit_log_subject";--> statement-breakpoint
DROP INDEX "audit_log_kind";--> statement-breakpoint
DROP INDEX "audit_log_action";--> statement-breakpoint
ALTER TABLE "booking_search" ADD CONSTRAINT "booking_search_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdraws" ADD CONSTRAINT "withdraws_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_search_words" ON "booking_search" USING gin ("words" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "withdraws_date" ON "withdraws" USING btree ("date" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "withdraws_amount_order" ON "withdraws" USING btree ("amount" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "withdraws_name" ON "withdraws" USING btree ("name" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "withdraws_uid" ON "withdraws" USING btree ("uid","date" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "withdraws_open" ON "withdraws" USING btree ("date" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE not "withdraws"."processed" and not "withdraws"."refused";--> statement-breakpoint
CREATE INDEX "withdraws_refused" ON "withdraws" USING btree ("date" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "withdraws"."refused";--> statement-breakpoint
CREATE INDEX "bookings_car_type" ON "bookings" USING btree ("car_type_id","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bookings_payment_mode" ON "bookings" USING btree ("payment_mode","tripdate" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bookings_later" ON "bookings" USING btree ("tripdate" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "bookings"."book_later";--> statement-breakpoint
CREATE INDEX "bookings_cost" ON "bookings" USING btree ("trip_cost" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "users_by_date" ON "users" USING btree ("usertype","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree ("usertype","email" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "users_waiting" ON "users" USING btree ("usertype","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE not "users"."approved";--> statement-breakpoint
CREATE INDEX "users_by_car_type" ON "users" USING btree ("car_type_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "users"."car_type_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_at" ON "ledger_entries" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ledger_entries_kind" ON "ledger_entries" USING btree ("kind","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_by" ON "audit_log" USING btree ("by_user","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("kind","subject","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_kind" ON "audit_log" USING btree ("kind","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint

-- What the tables are searched by; the queries have the same expressions.
DROP INDEX audit_log_search;--> statement-breakpoint
CREATE INDEX audit_log_search ON audit_log USING gin
  (search_fold(' ' || label || ' ' || by_name || ' ' || action) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX withdraws_search ON withdraws USING gin
  (search_fold(' ' || name || ' ' || bank_name || ' ' || bank_account) gin_trgm_ops);--> statement-breakpoint

-- The account that a leg's account is counted under: all users are one, all trips are one.
CREATE FUNCTION ledger_account_counted(account text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ select case when account like 'user:%' then 'user' when account like 'trip:%' then 'trip' else account end $$;--> statement-breakpoint

CREATE FUNCTION append_ledger_sums() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into ledger_sums (account, amount)
    select ledger_account_counted(account), sum(amount) from new_legs group by 1 having sum(amount) <> 0;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER ledger_legs_summed AFTER INSERT ON ledger_legs REFERENCING NEW TABLE AS new_legs
  FOR EACH STATEMENT EXECUTE FUNCTION append_ledger_sums();--> statement-breakpoint

-- Makes one row of all that an account has, in one statement: whoever reads sees the rows before or the row after. One
-- at a time; whoever finds another at it leaves it to that one. Returns how many rows it took.
CREATE FUNCTION fold_ledger_sums() RETURNS int LANGUAGE plpgsql AS $$
declare
  taken int;
begin
  if not pg_try_advisory_xact_lock(7305002) then return 0; end if;
  with gone as (delete from ledger_sums returning account, amount),
  kept as (insert into ledger_sums (account, amount) select account, sum(amount) from gone group by account)
  select count(*) into taken from gone;
  return taken;
end $$;--> statement-breakpoint

-- Counts everything anew from the legs. For after rows were loaded with the triggers off; nobody writes meanwhile.
CREATE FUNCTION rebuild_ledger_sums() RETURNS void LANGUAGE plpgsql AS $$
begin
  perform pg_advisory_xact_lock(7305002);
  lock table ledger_legs in share mode;
  delete from ledger_sums;
  insert into ledger_sums (account, amount)
    select ledger_account_counted(account), sum(amount) from ledger_legs group by 1 having sum(amount) <> 0;
end $$;--> statement-breakpoint
SELECT rebuild_ledger_sums();
