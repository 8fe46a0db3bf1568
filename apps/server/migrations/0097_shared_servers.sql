CREATE TABLE "servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"since" bigint NOT NULL,
	"renewed_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "server_term" ADD COLUMN "is_shared" boolean DEFAULT false NOT NULL;