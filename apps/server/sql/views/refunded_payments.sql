-- Owner: refunds; read by: payments
-- Payments with a refund in any state.
create view refunded_payments as select payment from refunds where payment is not null;
