-- Owner: wallet; read by: ledger-check
create view cash_desk_receipts as select amount from cash_receipts where reversed_at is null;
