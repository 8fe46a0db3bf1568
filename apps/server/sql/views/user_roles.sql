-- Owner: users; read by: accounts, alerts, app, product-licence, reports, safety, table-changes, withdraws
create view user_roles as select id, usertype, approved, fleetadmin, demo, created_at from users;
