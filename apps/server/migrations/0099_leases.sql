CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"epoch" bigint NOT NULL,
	"until" bigint NOT NULL
);
