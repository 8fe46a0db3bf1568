-- Owner: payments; read by: receipts, refunds
-- Card payment attempts; captured money has a use (used_for).
create view card_payments as
  select id, provider, reference, amount, currency, used_for, booking, code, payer, payer_name from payments;
