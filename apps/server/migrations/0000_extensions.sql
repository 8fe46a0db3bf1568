-- Both are trusted extensions: the owner of the database may create them, no superuser is needed.
CREATE EXTENSION IF NOT EXISTS citext;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
