-- Owner: withdraws; read by: alerts, ledger-check, users
create view undecided_withdrawals as
  select id, uid, name, amount, date from withdraws where not processed and not refused;
