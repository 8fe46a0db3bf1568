-- Owner: wallet; read by: app, bookings, ledger-check, settings
create view ledger_records as select id, at, kind, key from ledger_entries;
