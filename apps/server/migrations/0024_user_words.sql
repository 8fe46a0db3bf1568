CREATE FUNCTION keep_user_words() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into user_search values (new.id,
      search_fold(concat(' ', new.first_name, ' ', new.last_name, ' ', new.vehicle_number)),
      search_fold(concat(' ', new.email::text, ' ', new.mobile)))
    on conflict (user_id) do update set names = excluded.names, contacts = excluded.contacts;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER users_words_insert AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION keep_user_words();--> statement-breakpoint
CREATE TRIGGER users_words_update AFTER UPDATE ON users FOR EACH ROW
  WHEN ((old.first_name, old.last_name, old.vehicle_number, old.email::text, old.mobile)
    is distinct from (new.first_name, new.last_name, new.vehicle_number, new.email::text, new.mobile))
  EXECUTE FUNCTION keep_user_words();--> statement-breakpoint
INSERT INTO user_search SELECT id, search_fold(concat(' ', first_name, ' ', last_name, ' ', vehicle_number)),
  search_fold(concat(' ', email::text, ' ', mobile)) FROM users;--> statement-breakpoint
ALTER TABLE user_search ALTER COLUMN names SET STATISTICS 500, ALTER COLUMN contacts SET STATISTICS 500;--> statement-breakpoint
DROP INDEX users_search;
