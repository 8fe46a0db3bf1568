-- Owner: safety; read by: alerts
-- Alarms that no admin has closed.
create view open_safety_alarms as
  select id, booking_id as booking, fleetadmin, alarm_at as at from safety_events where state = 'alarm';
