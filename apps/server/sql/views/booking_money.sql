-- Owner: bookings; read by: alerts, payments, receipts, refunds, safety, users, wallet
-- What was paid for each booking, by whom and how, whether its rider objects, and the bookings that it replaced or was
-- replaced by.
create view booking_money as
  select id, version, booking_id as code, customer as rider, customer_name as rider_name, driver, currency, status,
      trip_cost, used_wallet_money, cash_payment_amount, card_payment_amount, cancellation_fee, customer_paid,
      objection,
      rebooked_from, rebooked_as
    from bookings;
