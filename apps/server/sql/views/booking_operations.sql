-- Owner: reports; read by: alerts, bookings
-- Ended bookings as the operator's figures count them.
create view booking_operations as
  select booking_id as booking, tripdate, outcome, reason, area, offers, acceptances, arrived from report_operations where outcome is not null;
