-- Owner: bookings; read by: settings
create view booking_links as select id, rebooked_from, rebooked_as from bookings;
