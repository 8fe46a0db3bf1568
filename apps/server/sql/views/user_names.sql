-- Owner: users; read by: bookings, platform, refunds, reports, safety, wallet
-- The names of users and the plates of their cars, deleted users included.
create view user_names as
  select id, first_name || ' ' || last_name as name, vehicle_number, deleted_at is not null as is_deleted from users;
