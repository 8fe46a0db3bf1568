-- Owner: refunds; read by: ledger-check
create view refund_records as select amount, fee, state, provider, ended_at from refunds;
