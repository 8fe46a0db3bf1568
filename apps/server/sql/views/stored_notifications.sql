-- Owner: users; read by: alerts
-- The occasions that users have been notified of.
create view stored_notifications as select dedupe from notification_keys;
