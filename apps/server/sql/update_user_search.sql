-- Maintains the searchable text of users. Contacts are a separate column, because a demo hides them.
create or replace function update_user_search() returns trigger language plpgsql as $$
begin
  insert into user_search values (new.id,
      search_fold(concat(' ', new.first_name, ' ', new.preferred_name, ' ', new.last_name, ' ', new.vehicle_number)),
      search_fold(concat(' ', new.email::text, ' ', new.mobile)))
    on conflict (user_id) do update set names = excluded.names, contacts = excluded.contacts;
  return null;
end $$;

create trigger users_search_insert after insert on users for each row execute function update_user_search();

create trigger users_search_update after update on users for each row
  when ((old.first_name, old.preferred_name, old.last_name, old.vehicle_number, old.email::text, old.mobile)
    is distinct from (new.first_name, new.preferred_name, new.last_name, new.vehicle_number, new.email::text,
      new.mobile))
  execute function update_user_search();
