-- Owner: bookings; read by: chats, deliveries
-- Trips that are over, paid or not, and since when; a cancelled one may count from its planned time.
create view ended_trips as
  select id, customer, coalesce(closed_at, trip_end_time, tripdate) as ended_at
    from bookings where status in ('PAID', 'COMPLETE', 'PENDING', 'CANCELLED');
