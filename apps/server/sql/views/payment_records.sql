-- Owner: payments; read by: alerts, ledger-check, receipts, refunds, users
-- Card payment attempts. Captured money has a use (used_for); a busy one is being captured or not applied yet.
create view payment_records as
  select id, provider, reference, amount, currency, state, used_for, booking, code, payer, payer_name,
      number, failure, created_at, mismatch_at,
      state = 'pending' or (state = 'paid' and not closed)
        or (state in ('created', 'started') and capturing_until is not null) as is_busy
    from payments;
