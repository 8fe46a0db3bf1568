-- Owner: users; read by: bookings
-- The notifications about a booking, with the name of the user who received each.
create view booking_notifications as
  select n.booking_id as booking, n.user_id, n.dedupe, n.title, n.params, trim(concat(u.first_name, ' ', u.last_name)) as name
    from user_notifications n join users u on u.id = n.user_id;
