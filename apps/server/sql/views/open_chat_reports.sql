-- Owner: chats; read by: alerts, bookings
-- Reported chats that no admin has settled.
create view open_chat_reports as
  select id, booking_id as booking, at, reason from chat_reports where settled_at is null;
