-- Owner: accounts; read by: bookings
-- The users who have verified their email address.
create view verified_emails as select id from auth_users where email_verified;
