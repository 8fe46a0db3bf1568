-- Owner: wallet; read by: ledger-check
create view ledger_totals as select account, sum(amount) as sum from ledger_sums group by account;
