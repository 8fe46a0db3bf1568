CREATE TABLE "ledger_checks" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"entries" integer NOT NULL,
	"sum" bigint NOT NULL,
	"found" integer NOT NULL,
	"differences" jsonb NOT NULL
);
