-- Rejects taking an archived promo (HN005); bookings may still give it back.
create or replace function require_usable_promo() returns trigger language plpgsql as $$
begin
  if new.archived_at is not null and new.user_avail > old.user_avail then
    raise exception 'the promo is used up' using errcode = 'HN005';
  end if;
  return new;
end $$;

create trigger require_usable_promo before update of user_avail on promos
  for each row execute function require_usable_promo();
