-- Owner: users; read by: deliveries, ledger-check, wallet
create view user_balances as select id, wallet_balance from users;
