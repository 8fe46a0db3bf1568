-- Owner: reports; read by: bookings
-- Outcome and area of ended bookings, as counted in the operator's figures.
create view booking_operations as
  select booking_id as booking, outcome, area, offers, accepted from report_operations where outcome is not null;
