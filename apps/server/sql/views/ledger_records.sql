-- Owner: wallet; read by: app, bookings, ledger-check, reports, settings
create view ledger_records as select id, at, kind, key, booking_id as booking from ledger_entries;
