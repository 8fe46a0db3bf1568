-- Owner: users; read by: accounts, app, table-changes
create view user_roles as select id, usertype, approved, fleetadmin, demo from users;
