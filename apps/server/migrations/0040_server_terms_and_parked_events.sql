CREATE TABLE "server_term" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"term" bigint NOT NULL,
	CONSTRAINT "server_term_only" CHECK ("server_term"."only")
);
--> statement-breakpoint
CREATE TABLE "parked_events" (
	"id" bigint PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"stream" text,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"error" text NOT NULL,
	"failing_since" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "failing_since" bigint;--> statement-breakpoint
CREATE INDEX "parked_events_kind" ON "parked_events" USING btree ("kind","id");--> statement-breakpoint
INSERT INTO "server_term" ("term") VALUES (0);--> statement-breakpoint
create or replace function begin_term() returns bigint language plpgsql as $$
declare
  begun bigint;
begin
  -- Waits for the transactions of the server before.
  perform pg_advisory_xact_lock(4260783);
  update server_term set term = term + 1 returning term into begun;
  return begun;
end $$;
--> statement-breakpoint
-- Refuses a transaction of a server that another one has replaced. For as long as the transaction is open no other
-- server can begin its term.
create or replace function check_term(mine bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(4260783);
  if mine is distinct from (select term from server_term) then
    raise exception 'another server works on this database' using errcode = 'HN009';
  end if;
end $$;
