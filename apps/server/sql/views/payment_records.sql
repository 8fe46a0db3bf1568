-- Owner: payments; read by: ledger-check
create view payment_records as select id, provider, amount, state, used_for from payments;
