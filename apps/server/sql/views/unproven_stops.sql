-- Owner: deliveries; read by: alerts, bookings
-- Stops that no one could check: a failed drop reported without a position or from afar, or a missing signature.
create view unproven_stops as
  select s.booking_id as booking, s.n, s.done_at as at from delivery_stops s where s.unseen or s.unsigned;
