-- Owner: users; read by: alerts, safety
-- The alerts that their receivers have not read, with the occasion of each.
create view unread_alerts as
  select id, dedupe from user_notifications where read_at is null and title like 'alert.%';
