CREATE TABLE "user_search" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"names" text NOT NULL,
	"contacts" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user_search" ADD CONSTRAINT "user_search_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_search_words" ON "user_search" USING gin ("names" gin_trgm_ops,"contacts" gin_trgm_ops);