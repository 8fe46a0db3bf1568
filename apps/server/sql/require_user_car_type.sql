-- Rejects a driver with an archived car type, with the error of a foreign key.
create or replace function require_user_car_type() returns trigger language plpgsql as $$
begin
  perform from car_types where id = new.car_type_id and archived_at is null for key share;
  if not found then
    raise exception 'the car type is gone' using errcode = '23503', constraint = 'users_car_type_id_car_types_id_fk',
      table = 'users';
  end if;
  return null;
end $$;

create trigger require_car_type after insert or update of car_type_id, usertype on users
  for each row when (new.car_type_id is not null and new.usertype = 'driver')
  execute function require_user_car_type();
