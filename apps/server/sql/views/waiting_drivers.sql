-- Owner: users; read by: alerts
-- Drivers whom no admin has approved or rejected, as `approvalOf` decides, and since when they wait.
create view waiting_drivers as
  select id, trim(concat(first_name, ' ', last_name)) as name, fleetadmin, coalesce(waiting_since, created_at) as since
    from users where usertype = 'driver' and not approved and rejection is null and deleted_at is null;
