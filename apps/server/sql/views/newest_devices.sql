-- Owner: devices; read by: users
-- The specification's userPlatform: the platform of the device that a user registered last.
create view newest_devices as
  select distinct on (user_id) user_id, platform as user_platform from push_devices
    order by user_id, seen_at desc, id desc;
