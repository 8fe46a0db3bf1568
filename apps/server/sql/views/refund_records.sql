-- Owner: refunds; read by: alerts, bookings, earnings, ledger-check, payments, reports, users
-- Refunds in any state. One with a driver is borne by that driver; without an end it is in progress.
create view refund_records as
  select id, at, booking, code, payment, rider, bearer, driver, provider, amount, fee, reason, state,
      ended_at, review_at
    from refunds;
