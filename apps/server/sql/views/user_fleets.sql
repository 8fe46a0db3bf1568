-- Owner: users; read by: table-changes
create view user_fleets as select id, usertype, fleetadmin from users;
