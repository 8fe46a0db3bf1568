-- Owner: devices; read by: push-notifications
-- The users whose devices wait for a message of an admin's send.
create view queued_sends as
  select p.origin, d.user_id from push_deliveries p join push_devices d on d.id = p.device_id where p.origin is not null;
