-- Owner: bookings; read by: settings, trip-links
create view booking_links as select id, rebooked_from, rebooked_as from bookings;
