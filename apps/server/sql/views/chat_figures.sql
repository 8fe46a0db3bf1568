-- Owner: chats; read by: bookings
-- How much was written in each conversation, when last, and how many of its reports no admin has settled.
create view chat_figures as
  select c.booking_id, c.last_seq as messages,
      (select m.at from chat_messages m
        where m.booking_id = c.booking_id and m.driver_id = c.driver_id and m.seq = c.last_seq) as last_at,
      (select count(*)::int from chat_reports r
        where r.booking_id = c.booking_id and r.driver_id = c.driver_id and r.settled_at is null) as reports
    from chats c;
