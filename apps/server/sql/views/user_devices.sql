-- Owner: devices; read by: push-notifications
-- The devices of each user. Platform null: a computer.
create view user_devices as select user_id, platform from push_devices;
