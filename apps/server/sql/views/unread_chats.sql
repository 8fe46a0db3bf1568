-- Owner: chats; read by: bookings
-- How many messages each of the two people of a conversation has not read.
create view unread_chats as
  select c.booking_id, c.driver_id,
      (select count(*)::int from chat_messages m where m.booking_id = c.booking_id and m.driver_id = c.driver_id
        and m.seq > c.rider_read and m.source = 'driver') as by_rider,
      (select count(*)::int from chat_messages m where m.booking_id = c.booking_id and m.driver_id = c.driver_id
        and m.seq > c.driver_read and m.source = 'rider') as by_driver
    from chats c;
