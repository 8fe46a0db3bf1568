-- Owner: bookings; read by: chats
-- The two people of a booking, with the status that opens their conversation.
create view booking_people as select id, booking_id, status, customer, customer_name, driver, driver_name from bookings;
