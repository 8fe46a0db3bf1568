-- Owner: users; read by: devices
-- The role and the language of a notification's reader.
create view notification_readers as select id, usertype, locale from users;
