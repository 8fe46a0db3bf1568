-- Owner: wallet; read by: ledger-check
create view open_dues as select booking_id, rider, open from dues;
