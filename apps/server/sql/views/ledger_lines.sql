-- Owner: wallet; read by: bookings, ledger-check, reports
create view ledger_lines as select entry_id, account, user_id, amount, balance from ledger_legs;
