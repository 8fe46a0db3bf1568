-- Owner: bookings; read by: alerts
-- Bookings that the system has cancelled, and whether their rider has booked since.
create view system_cancellations as
  select id, booking_id as code, closed_at,
      exists (select from bookings later where later.customer = b.customer and later.tripdate >= b.booking_date
        and later.booking_date > b.booking_date) as is_replaced
    from bookings b where status = 'CANCELLED' and cancelled_by = 'system';
