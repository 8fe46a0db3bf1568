-- Owner: withdraws; read by: ledger-check
create view undecided_withdrawals as select amount from withdraws where not processed and not refused;
