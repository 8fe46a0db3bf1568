-- Owner: users; read by: refunds, wallet
-- The names of users, deleted ones included.
create view user_names as
  select id, first_name || ' ' || last_name as name, deleted_at is not null as is_deleted from users;
