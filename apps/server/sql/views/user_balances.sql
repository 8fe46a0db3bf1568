-- Owner: users; read by: ledger-check, wallet
create view user_balances as select id, wallet_balance from users;
