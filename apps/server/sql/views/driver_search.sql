-- Owner: users; read by: reports
-- The folded names of drivers, for a search by words.
create view driver_search as
  select s.user_id as driver, s.names from user_search s join users u on u.id = s.user_id where u.usertype = 'driver';
