-- Owner: bookings; read by: app
create view booking_event_times as select at from booking_events;
