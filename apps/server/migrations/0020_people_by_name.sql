-- Riders are most of the people: one order for all serves each kind of them, and all together.
DROP INDEX users_by_name;--> statement-breakpoint
CREATE INDEX users_by_name ON users ((search_fold(first_name || ' ' || last_name)) DESC NULLS LAST, id DESC NULLS LAST);--> statement-breakpoint
ALTER INDEX users_by_name ALTER COLUMN 1 SET STATISTICS 200;
