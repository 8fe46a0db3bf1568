-- Owner: withdraws; read by: alerts, ledger-check, users
create view undecided_withdrawals as select uid, amount from withdraws where not processed and not refused;
