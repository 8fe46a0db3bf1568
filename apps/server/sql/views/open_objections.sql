-- Owner: bookings; read by: alerts
-- Objections to a driver's cash answer or a return leg that no admin has decided.
create view open_objections as
  select id, booking_id as code, fleetadmin, tripdate,
      (select max(e.at) from booking_events e where e.booking_id = b.id and e.command = 'object') as since
    from bookings b where objection = 'open';
